package kafkatest

import (
	"fmt"
	"os"
	"path/filepath"
)

// Kafka's own layout and split: the controller's lines go to controller.log alone, all others to server.log.
const log4j2 = `Configuration:
  Appenders:
    %[3]s
    File:
      - name: Server
        fileName: "%[1]s/server.log"
        PatternLayout: {pattern: "[%%d] %%p %%m (%%c)%%n"}
      - name: Controller
        fileName: "%[1]s/controller.log"
        PatternLayout: {pattern: "[%%d] %%p %%m (%%c)%%n"}
  Loggers:
    Root: {level: %[4]s, AppenderRef: {ref: %[5]s}}
    Logger:
      - {name: org.apache.kafka.controller, level: INFO, additivity: false, AppenderRef: {ref: %[6]s}}
      - {name: org.apache.kafka.raft, level: %[2]s}
      - {name: kafka.raft, level: %[2]s}
`

const log4j1 = `log4j.rootLogger=%[3]s, %[4]s
log4j.appender.Stderr=org.apache.log4j.ConsoleAppender
log4j.appender.Stderr.Target=System.err
log4j.appender.Stderr.layout=org.apache.log4j.PatternLayout
log4j.appender.Stderr.layout.ConversionPattern=[%%d] %%p %%m (%%c)%%n
log4j.appender.Server=org.apache.log4j.FileAppender
log4j.appender.Server.File=%[1]s/server.log
log4j.appender.Server.layout=org.apache.log4j.PatternLayout
log4j.appender.Server.layout.ConversionPattern=[%%d] %%p %%m (%%c)%%n
log4j.appender.Controller=org.apache.log4j.FileAppender
log4j.appender.Controller.File=%[1]s/controller.log
log4j.appender.Controller.layout=org.apache.log4j.PatternLayout
log4j.appender.Controller.layout.ConversionPattern=[%%d] %%p %%m (%%c)%%n
log4j.logger.org.apache.kafka.controller=INFO, %[5]s
log4j.additivity.org.apache.kafka.controller=false
log4j.logger.org.apache.kafka.raft=%[2]s
log4j.logger.kafka.raft=%[2]s
`

// logging writes the logging configuration into folder and gives the Java option that names it. To "file" the lines go to
// server.log and controller.log there, raft's own from level on; to "stderr" all lines from level on.
func logging(r Release, folder, level, to string) []string {
	root, server, controller := "INFO", "Server", "Controller"
	if to == "stderr" {
		root, server, controller = level, "Stderr", "Stderr"
	}
	name, property, text := "log4j2.yaml", "log4j2.configurationFile", fmt.Sprintf(log4j2, folder, level,
		`Console: {name: Stderr, target: SYSTEM_ERR, PatternLayout: {pattern: "[%d] %p %m (%c)%n"}}`, root, server, controller)
	if r.reload4j() {
		name, property, text = "log4j.properties", "log4j.configuration", fmt.Sprintf(log4j1, folder, level, root, server, controller)
	}
	file := filepath.Join(folder, name)
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		panic(err)
	}
	return []string{"-D" + property + "=file:" + file}
}
