// Package ingest turns bytes into records with positions.
//
// It opens files, folders and standard input, sees through gzip and zstd by
// their magic bytes, cuts the stream into lines, and gives every line a
// [spec.Ref] that says where it stands. What is wrong with a line as text (too
// long, cut, not UTF-8, binary) is said with the record; nothing is lost and
// nothing is read into memory whole. What a line means is for package adapters.
package ingest
