// Package topictest holds the tests of topics as a source, against a broker within the
// process. It is a module of its own so that users do not get the broker.
package topictest
