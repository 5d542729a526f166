module github.com/tracecheck/tracecheck/internal/kafkatest

go 1.26.0
