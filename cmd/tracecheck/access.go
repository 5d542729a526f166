package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"

	"github.com/tracecheck/tracecheck/ingest/topic"
)

// The variables that hold who reads a topic or a quorum.
const (
	userVariable     = "TRACECHECK_KAFKA_USERNAME"
	passwordVariable = "TRACECHECK_KAFKA_PASSWORD"
)

// errPassword refuses an address with a password in it, without repeating it.
var errPassword = errors.New("the address takes no user and no password, which would stand in lists of processes and in reports; set " +
	userVariable + " and " + passwordVariable + ", or give properties=FILE")

var jaas = regexp.MustCompile(`(username|password)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s;]+))`)

// An access is how a Kafka cluster lets a client in.
type access struct {
	tls            *tls.Config // nil: in the clear
	mechanism      string      // of SASL, in capitals; empty: none
	user, password string
}

// accessOf reads it from the options of an address, the properties file that they
// name, and the environment. Errors name files and keys, never values of credentials.
func accessOf(options url.Values) (a access, err error) {
	file := map[string]string{}
	if path := options.Get("properties"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return a, err
		}
		file = properties(string(text))
	}
	protocol := strings.ToUpper(file["security.protocol"])
	a.mechanism = strings.ToUpper(options.Get("sasl"))
	if a.mechanism == "" && (protocol == "" || strings.HasPrefix(protocol, "SASL")) {
		a.mechanism = strings.ToUpper(file["sasl.mechanism"])
	}
	a.identify(file)
	switch a.mechanism {
	case "", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512":
	default:
		return a, fmt.Errorf("sasl=%s: there are plain, scram-sha-256 and scram-sha-512", a.mechanism)
	}
	if a.mechanism != "" && a.user == "" {
		return a, fmt.Errorf("sasl needs a user: set %s and %s, or give properties=FILE", userVariable, passwordVariable)
	}
	a.tls, err = encryption(options, file, protocol)
	return a, err
}

// identify finds the user and the password.
func (a *access) identify(file map[string]string) {
	a.user, a.password = os.Getenv(userVariable), os.Getenv(passwordVariable)
	if a.user == "" {
		a.user, a.password = file["sasl.username"], file["sasl.password"]
	}
	if a.user != "" {
		return
	}
	for _, m := range jaas.FindAllStringSubmatch(file["sasl.jaas.config"], -1) {
		value := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[2]) + m[3] + m[4]
		if m[1] == "username" {
			a.user = value
		} else {
			a.password = value
		}
	}
}

func encryption(options url.Values, file map[string]string, protocol string) (*tls.Config, error) {
	ca := options.Get("ca")
	if ca == "" {
		ca = file["ssl.ca.location"]
	}
	if ca == "" && strings.EqualFold(file["ssl.truststore.type"], "PEM") {
		ca = file["ssl.truststore.location"]
	}
	switch v := options.Get("tls"); {
	case v != "" && v != "true":
		return nil, fmt.Errorf("tls=%s: it is tls=true", v)
	case v == "" && ca == "" && !strings.HasSuffix(protocol, "SSL"):
		return nil, nil
	}
	c := &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" {
		return c, nil
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return nil, err
	}
	c.RootCAs = x509.NewCertPool()
	if !c.RootCAs.AppendCertsFromPEM(pem) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", ca)
	}
	return c, nil
}

// let gives a client of topics what it needs to be let in.
func (a access) let(c *topic.Client) (err error) {
	c.TLS = a.tls
	switch a.mechanism {
	case "PLAIN":
		c.SASL = plain.Mechanism{Username: a.user, Password: a.password}
	case "SCRAM-SHA-256":
		c.SASL, err = scram.Mechanism(scram.SHA256, a.user, a.password)
	case "SCRAM-SHA-512":
		c.SASL, err = scram.Mechanism(scram.SHA512, a.user, a.password)
	}
	if err != nil {
		return fmt.Errorf("the user name or the password cannot be used with %s", a.mechanism)
	}
	return nil
}

// properties reads the lines KEY=VALUE of a file as Kafka's own tools take it.
func properties(text string) map[string]string {
	values := map[string]string{}
	text = regexp.MustCompile(`\\\r?\n[ \t]*`).ReplaceAllString(text, "")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if key, value, ok := strings.Cut(line, "="); ok && line[0] != '#' && line[0] != '!' {
			values[strings.TrimSpace(key)] = strings.TrimSpace(value)
		}
	}
	return values
}
