package main

import (
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/segmentio/kafka-go/sasl/plain"
	"github.com/segmentio/kafka-go/sasl/scram"

	"github.com/tracecheck/tracecheck/ingest/topic"
)

// The variables that hold who reads a topic.
const (
	userVariable     = "TRACECHECK_KAFKA_USERNAME"
	passwordVariable = "TRACECHECK_KAFKA_PASSWORD"
)

var jaas = regexp.MustCompile(`(username|password)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s;]+))`)

// secure sets TLS and SASL from the options of the address, the properties file and the
// environment. Errors name files and keys, never values of credentials.
func secure(c *topic.Client, options url.Values) error {
	file := map[string]string{}
	if path := options.Get("properties"); path != "" {
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file = properties(string(text))
	}
	protocol := strings.ToUpper(file["security.protocol"])
	mechanism := strings.ToUpper(options.Get("sasl"))
	if mechanism == "" && (protocol == "" || strings.HasPrefix(protocol, "SASL")) {
		mechanism = strings.ToUpper(file["sasl.mechanism"])
	}
	user, password := os.Getenv(userVariable), os.Getenv(passwordVariable)
	if user == "" {
		user, password = file["sasl.username"], file["sasl.password"]
	}
	if user == "" {
		for _, m := range jaas.FindAllStringSubmatch(file["sasl.jaas.config"], -1) {
			value := strings.NewReplacer(`\"`, `"`, `\\`, `\`).Replace(m[2]) + m[3] + m[4]
			if m[1] == "username" {
				user = value
			} else {
				password = value
			}
		}
	}
	var err error
	switch mechanism {
	case "":
	case "PLAIN":
		c.SASL = plain.Mechanism{Username: user, Password: password}
	case "SCRAM-SHA-256":
		c.SASL, err = scram.Mechanism(scram.SHA256, user, password)
	case "SCRAM-SHA-512":
		c.SASL, err = scram.Mechanism(scram.SHA512, user, password)
	default:
		return fmt.Errorf("sasl=%s: there are plain, scram-sha-256 and scram-sha-512", mechanism)
	}
	if mechanism != "" && user == "" {
		return fmt.Errorf("sasl needs a user: set %s and %s, or give properties=FILE", userVariable, passwordVariable)
	}
	if err != nil {
		return fmt.Errorf("the user name or the password cannot be used with %s", mechanism)
	}
	return encrypt(c, options, file, protocol)
}

func encrypt(c *topic.Client, options url.Values, file map[string]string, protocol string) error {
	ca := options.Get("ca")
	if ca == "" {
		ca = file["ssl.ca.location"]
	}
	if ca == "" && strings.EqualFold(file["ssl.truststore.type"], "PEM") {
		ca = file["ssl.truststore.location"]
	}
	switch v := options.Get("tls"); {
	case v != "" && v != "true":
		return fmt.Errorf("tls=%s: it is tls=true", v)
	case v == "" && ca == "" && !strings.HasSuffix(protocol, "SSL"):
		return nil
	}
	c.TLS = &tls.Config{MinVersion: tls.VersionTLS12}
	if ca == "" {
		return nil
	}
	pem, err := os.ReadFile(ca)
	if err != nil {
		return err
	}
	c.TLS.RootCAs = x509.NewCertPool()
	if !c.TLS.RootCAs.AppendCertsFromPEM(pem) {
		return fmt.Errorf("%s holds no certificate in PEM", ca)
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
