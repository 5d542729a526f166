package ingest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Expand turns command-line arguments into paths of sources: a file is itself,
// a folder is its regular files in the order of their names, hidden ones left
// out, and "-" is standard input, which may be named once.
func Expand(args []string) ([]string, error) {
	var paths []string
	stdin := false
	for _, arg := range args {
		if arg == "-" {
			if stdin {
				return nil, fmt.Errorf("standard input is named twice")
			}
			stdin = true
			paths = append(paths, arg)
			continue
		}
		info, err := os.Stat(arg)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			paths = append(paths, arg)
			continue
		}
		files, err := filesOf(arg)
		if err != nil {
			return nil, err
		}
		if len(files) == 0 {
			return nil, fmt.Errorf("%s: the folder holds no files", arg)
		}
		paths = append(paths, files...)
	}
	return paths, nil
}

func filesOf(dir string) (files []string, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != dir && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.Type().IsRegular() {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}
