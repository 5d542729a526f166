package ingest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Expand turns command-line arguments into paths of sources: a file is itself,
// a folder is its files in the order of their names, hidden ones left out, and
// "-" is standard input, which may be named once. Links are followed to files,
// and to a folder only where it is an argument. What is not there is a path like
// any other: opening it tells, and keeps nobody from checking the rest. A folder
// that is read as a whole, as the log of a node in segments is, is one path; what lies
// aside of it in a folder, and is no trace, is left out.
func Expand(args []string, whole, aside func(path string) bool) ([]string, error) {
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
		if info, err := os.Stat(arg); err != nil || !info.IsDir() || whole(arg) {
			paths = append(paths, arg)
			continue
		}
		files, err := filesOf(arg, whole, aside)
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

func filesOf(dir string, whole, aside func(string) bool) (files []string, err error) {
	root := dir + string(filepath.Separator) // a link to a folder is that folder
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path != root && strings.HasPrefix(d.Name(), ".") {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		if d.IsDir() && path != root {
			switch {
			case whole(path):
				files = append(files, path)
				return filepath.SkipDir
			case aside(path):
				return filepath.SkipDir
			}
		}
		if !d.IsDir() && aside(path) {
			return nil
		}
		if d.Type().IsRegular() || isFileLink(path, d) {
			files = append(files, path)
		}
		return nil
	})
	return files, err
}

// isFileLink says whether path links to a file, or to what is not there, which
// opening it will tell.
func isFileLink(path string, d fs.DirEntry) bool {
	if d.Type()&fs.ModeSymlink == 0 {
		return false
	}
	info, err := os.Stat(path)
	return err != nil || info.Mode().IsRegular()
}
