// Package store keeps what must survive a restart. Today that is one thing: a
// cache of answers under the content they were computed from.
//
// Its main type is [Cache]. It does not know what the answers mean.
package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// DefaultMaxBytes is the size of a cache that does not say: some ten thousand
// answers of a check.
const DefaultMaxBytes = 256 << 20

// Cache is a folder of values, each in a file of its own under the hash of its
// key. A value is written to a temporary file, flushed and renamed, so that a
// reader sees all of it or none; it carries its own hash, so that a damaged one
// is a miss. When the folder outgrows its bound, what was not used for the
// longest time goes. A Cache is safe for concurrent use, between processes too.
type Cache struct {
	dir string
	max int64

	mu   sync.Mutex
	size int64 // our estimate; other processes' writes are seen by the next sweep
}

// magic opens every file and names the layout after it: the hash of the value,
// then the value.
const magic = "reviewgate cache 1\n"

// unfinished begins the name of a file that is being written. One that is older
// than abandoned belongs to a process that died.
const (
	unfinished = "writing-"
	abandoned  = time.Hour
)

// Open returns the cache in dir, which is made when it does not exist, holding at
// most max bytes; max 0 means DefaultMaxBytes.
func Open(dir string, max int64) (*Cache, error) {
	if max <= 0 {
		max = DefaultMaxBytes
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("open cache: %w", err)
	}
	c := &Cache{dir: dir, max: max}
	entries, err := c.entries()
	if err != nil {
		return nil, fmt.Errorf("open cache: %w", err)
	}
	for _, e := range entries {
		c.size += e.size
	}
	return c, nil
}

// Get returns the value stored under key. Whatever cannot be read whole is a
// miss, and goes. A nil Cache misses always.
func (c *Cache) Get(key string) ([]byte, bool) {
	if c == nil {
		return nil, false
	}
	file := c.file(key)
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, false
	}
	value, ok := unwrap(data)
	if !ok {
		os.Remove(file)
		return nil, false
	}
	now := time.Now()
	os.Chtimes(file, now, now) // used: the last to go
	return value, true
}

// Put stores value under key, in place of what was there. A nil Cache stores
// nothing. A value larger than the cache is not stored, which is no error.
func (c *Cache) Put(key string, value []byte) error {
	if c == nil {
		return nil
	}
	data := wrap(value)
	if int64(len(data)) > c.max {
		return nil
	}
	if err := c.write(c.file(key), data); err != nil {
		return fmt.Errorf("write cache: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.size += int64(len(data)); c.size > c.max {
		return c.sweep()
	}
	return nil
}

func (c *Cache) write(file string, data []byte) (err error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(file), unfinished+"*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	if _, err := f.Write(data); err != nil {
		f.Close()
		return err
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), file)
}

func (c *Cache) file(key string) string {
	sum := sha256.Sum256([]byte(key))
	name := hex.EncodeToString(sum[:])
	return filepath.Join(c.dir, name[:2], name[2:])
}

// wrap returns the file that holds value.
func wrap(value []byte) []byte {
	sum := sha256.Sum256(value)
	return slices.Concat([]byte(magic), sum[:], value)
}

// unwrap returns the value in the file data, when it is whole.
func unwrap(data []byte) ([]byte, bool) {
	rest, ok := bytes.CutPrefix(data, []byte(magic))
	if !ok || len(rest) < sha256.Size {
		return nil, false
	}
	value := rest[sha256.Size:]
	sum := sha256.Sum256(value)
	return value, bytes.Equal(sum[:], rest[:sha256.Size])
}

// entry is a file of the cache.
type entry struct {
	path string
	size int64
	used time.Time
}

func (c *Cache) entries() ([]entry, error) {
	var all []entry
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreGone(err)
		}
		info, err := d.Info()
		if err == nil && !(strings.HasPrefix(d.Name(), unfinished) && time.Since(info.ModTime()) < abandoned) {
			all = append(all, entry{path, info.Size(), info.ModTime()})
		}
		return ignoreGone(err)
	})
	return all, err
}

// ignoreGone forgives a file that another process removed meanwhile.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// sweep removes what was used longest ago until three quarters of the bound are
// left, so that it is not needed again at once. The caller holds mu.
func (c *Cache) sweep() error {
	entries, err := c.entries()
	if err != nil {
		return fmt.Errorf("sweep cache: %w", err)
	}
	slices.SortFunc(entries, func(a, b entry) int { return b.used.Compare(a.used) })
	c.size = 0
	for _, e := range entries {
		if c.size+e.size > c.max/4*3 && c.size > 0 {
			if err := ignoreGone(os.Remove(e.path)); err != nil {
				return fmt.Errorf("sweep cache: %w", err)
			}
			continue
		}
		c.size += e.size
	}
	return nil
}
