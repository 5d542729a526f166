package mapping

import (
	"embed"
	"fmt"
	"io/fs"
	"sync"

	"github.com/tracecheck/tracecheck/adapters"
)

//go:embed mappings
var files embed.FS

// Shipped are the mappings that come with the program, by name. They are in order:
// a test says so.
var Shipped = sync.OnceValue(func() (list []*Mapping) {
	names, err := fs.Glob(files, "mappings/*.yaml")
	if err != nil {
		panic(err)
	}
	for _, name := range names {
		src, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		m, err := Parse(name, src)
		if err != nil {
			panic(fmt.Sprintf("a mapping that comes with the program: %v", err))
		}
		list = append(list, m)
	}
	return list
})

// Adapters are those of the shipped mappings.
func Adapters() (list []*adapters.Adapter) {
	for _, m := range Shipped() {
		list = append(list, m.Adapter())
	}
	return list
}
