package main

import (
	"archive/zip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// sumsFile lists the SHA-256 of every other file, in the form that sha256sum -c reads.
const sumsFile = "SHA256SUMS"

// pack packs a stage into out and gives the text of SHA256SUMS.
func pack(stage, out string, at time.Time) (sums string, err error) {
	entries, err := os.ReadDir(stage) // sorted by name
	if err != nil {
		return "", fmt.Errorf("read stage: %w", err)
	}
	if len(entries) == 0 {
		return "", fmt.Errorf("read stage: %s is empty", stage)
	}
	if err := os.RemoveAll(out); err != nil {
		return "", fmt.Errorf("empty %s: %w", out, err)
	}
	if err := os.MkdirAll(out, 0o755); err != nil { //nolint:gosec // packages are for everybody
		return "", fmt.Errorf("make %s: %w", out, err)
	}
	var list strings.Builder
	for _, e := range entries {
		from, name := filepath.Join(stage, e.Name()), e.Name()
		write := func(w io.Writer) error { return copyFile(w, from) }
		if e.IsDir() {
			name += ".zip"
			write = func(w io.Writer) error { return zipFolder(w, from, at) }
		}
		sum, err := create(filepath.Join(out, name), write)
		if err != nil {
			return "", fmt.Errorf("pack %s: %w", e.Name(), err)
		}
		fmt.Fprintf(&list, "%x  %s\n", sum, name)
	}
	_, err = create(filepath.Join(out, sumsFile), func(w io.Writer) error {
		_, err := io.WriteString(w, list.String())
		return err
	})
	return list.String(), err
}

// create writes a file and gives its SHA-256.
func create(name string, write func(io.Writer) error) (sum []byte, err error) {
	f, err := os.Create(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	if err := write(io.MultiWriter(f, h)); err != nil {
		return nil, err
	}
	return h.Sum(nil), nil
}

// copyFile writes a file's content to w.
func copyFile(w io.Writer, name string) (err error) {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	_, err = io.Copy(w, f)
	return err
}

// zipFolder writes the files below a folder in order of their names. Of their attributes only the right to execute is
// kept, since the others differ from machine to machine.
func zipFolder(w io.Writer, folder string, at time.Time) error {
	z := zip.NewWriter(w)
	err := fs.WalkDir(os.DirFS(folder), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if !info.Mode().IsRegular() {
			return fmt.Errorf("%s is no regular file", name)
		}
		h := &zip.FileHeader{Name: name, Method: zip.Deflate, Modified: at}
		h.SetMode(0o644)
		if info.Mode()&0o100 != 0 {
			h.SetMode(0o755)
		}
		part, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		return copyFile(part, filepath.Join(folder, name))
	})
	return errors.Join(err, z.Close())
}
