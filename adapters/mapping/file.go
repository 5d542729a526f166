package mapping

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// file is a mapping as it is written. docs/adapters/mapping.md tells of every key.
type file struct {
	Name      text            `yaml:"name"`
	Title     string          `yaml:"title"`
	Doc       string          `yaml:"doc"`
	Profile   profile         `yaml:"profile"`
	Shows     []text          `yaml:"shows"`
	Envelope  envelope        `yaml:"envelope"`
	Detect    []text          `yaml:"detect"`
	Sentinels []text          `yaml:"sentinels"`
	Lines     []line          `yaml:"lines"`
	Ignore    map[string]text `yaml:"ignore"`
	Tests     []Test          `yaml:"tests"`
}

// profile is what of [spec.Profile] a mapping may choose.
type profile struct {
	SelfVoteOnTimeout    bool   `yaml:"selfVoteOnTimeout"`
	SelfAck              bool   `yaml:"selfAck"`
	ConfigOnApply        bool   `yaml:"configOnApply"`
	AppliesCommandsOnly  bool   `yaml:"appliesCommandsOnly"`
	SendsAfterStepDown   bool   `yaml:"sendsAfterStepDown"`
	AsksBeforeVoting     bool   `yaml:"asksBeforeVoting"`
	CountsByFormerConfig bool   `yaml:"countsByFormerConfig"`
	ReplyInRequestTerm   bool   `yaml:"replyInRequestTerm"`
	BootstrapTerm        uint64 `yaml:"bootstrapTerm"`
}

// envelope is what stands around the message of every line: a regular expression
// with groups named after what they hold, or paths into a JSON object.
type envelope struct {
	Regexp text            `yaml:"regexp"`
	JSON   map[string]text `yaml:"json"`
	Mark   text            `yaml:"mark"`
}

// line is one kind of line and what it says.
type line struct {
	Pattern text            `yaml:"pattern"`
	Begin   text            `yaml:"begin"`
	Fields  map[string]text `yaml:"fields"`
	Action  text            `yaml:"action"`
	Why     string          `yaml:"why"`
	Needs   []text          `yaml:"needs"`
	Set     map[string]text `yaml:"set"`
	Forget  []text          `yaml:"forget"`
	Server  text            `yaml:"server"`
	Group   text            `yaml:"group"`
	Peer    text            `yaml:"peer"`
	Index   text            `yaml:"index"`
	Term    text            `yaml:"term"`
	Entry   map[string]text `yaml:"entry"`
	Before  map[string]text `yaml:"before"`
	After   map[string]text `yaml:"after"`
	Durable bool            `yaml:"durable"`
	Message map[string]text `yaml:"message"`
}

// Test is an inline test: lines, and what becomes of each as [Describe] says it.
type Test struct {
	File  string   `yaml:"file"`
	Lines []string `yaml:"lines"`
	Want  []string `yaml:"want"`
}

// text is a scalar with its place in the file.
type text struct {
	string
	line, column int
}

// UnmarshalYAML implements [yaml.NodeUnmarshaler].
func (t *text) UnmarshalYAML(n ast.Node) error {
	if p := n.GetToken().Position; p != nil {
		t.line, t.column = p.Line, p.Column
	}
	switch n := n.(type) {
	case *ast.StringNode:
		t.string = n.Value
	case *ast.LiteralNode:
		t.string = n.Value.Value
	case *ast.IntegerNode, *ast.BoolNode, *ast.FloatNode:
		t.string = n.GetToken().Value
	case *ast.NullNode:
	default:
		return t.errorf("a single value is expected here, not %s", n.Type())
	}
	return nil
}

// mistake is something wrong at a place of the file.
type mistake struct {
	line, column int
	what         string
}

func (m mistake) Error() string { return m.what }

func (t text) errorf(format string, args ...any) error {
	return mistake{t.line, t.column, fmt.Sprintf(format, args...)}
}

// decodeFile reads a mapping's YAML. Its errors begin with file:line:column.
func decodeFile(name string, src []byte) (*file, error) {
	f := &file{}
	err := decodeStrictly(src, f)
	return f, place(name, err)
}

// decodeStrictly turns a panic of the YAML library, which odd input can bring about,
// into an error.
func decodeStrictly(src []byte, f *file) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("no YAML that can be read: %v", p)
		}
	}()
	return yaml.NewDecoder(bytes.NewReader(src), yaml.DisallowUnknownField()).Decode(f)
}

// place writes an error with the place that it is about.
func place(name string, err error) error {
	var m mistake
	var y yaml.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &m):
		if m.line == 0 {
			return fmt.Errorf("%s:1:1: %s", name, m.what)
		}
		return fmt.Errorf("%s:%d:%d: %s", name, m.line, m.column, m.what)
	case errors.As(err, &y):
		if t := y.GetToken(); t != nil && t.Position != nil {
			return fmt.Errorf("%s:%d:%d: %s", name, t.Position.Line, t.Position.Column, y.GetMessage())
		}
		return fmt.Errorf("%s:1:1: %s", name, y.GetMessage())
	}
	return fmt.Errorf("%s:1:1: %w", name, err)
}
