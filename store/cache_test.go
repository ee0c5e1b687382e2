package store_test

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/reviewgate/reviewgate/store"
)

func TestWhatWasPutIsGot(t *testing.T) {
	dir := t.TempDir()
	cache := open(t, dir, 0)
	put(t, cache, "k", "first")
	put(t, cache, "k", "second")
	put(t, cache, "empty", "")
	assertGet(t, cache, "k", "second", true)
	assertGet(t, cache, "empty", "", true)
	assertGet(t, cache, "other", "", false)
	assertGet(t, open(t, dir, 0), "k", "second", true)
}

func TestADamagedEntryIsAMiss(t *testing.T) {
	for _, tt := range []struct {
		name   string
		damage func(data []byte) []byte
	}{
		{"a flipped byte", func(d []byte) []byte { d[len(d)-1] ^= 1; return d }},
		{"cut short", func(d []byte) []byte { return d[:len(d)-1] }},
		{"cut in the hash", func(d []byte) []byte { return d[:25] }},
		{"empty", func([]byte) []byte { return nil }},
		{"another layout", func(d []byte) []byte { return append([]byte("x"), d...) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			cache := open(t, dir, 0)
			put(t, cache, "k", "value")
			for _, file := range files(t, dir) {
				data, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, tt.damage(data), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			assertGet(t, cache, "k", "", false)
			put(t, cache, "k", "again")
			assertGet(t, cache, "k", "again", true)
		})
	}
}

func TestTheLeastRecentlyUsedGoesFirst(t *testing.T) {
	dir := t.TempDir()
	cache := open(t, dir, 4000)
	value := string(bytes.Repeat([]byte("x"), 900))
	for i, key := range []string{"a", "b", "c"} {
		put(t, cache, key, value)
		age(t, dir, time.Duration(10-i)*time.Hour)
	}
	assertGet(t, cache, "a", value, true) // used now: b is the oldest
	put(t, cache, "d", value)
	put(t, cache, "e", value)
	assertGet(t, cache, "b", "", false)
	assertGet(t, cache, "e", value, true)
	if size := total(t, dir); size > 4000 {
		t.Errorf("cache holds %d bytes, bound is 4000", size)
	}
}

func TestAValueLargerThanTheCacheIsNotKept(t *testing.T) {
	cache := open(t, t.TempDir(), 100)
	put(t, cache, "k", string(make([]byte, 200)))
	assertGet(t, cache, "k", "", false)
}

func TestANilCacheMisses(t *testing.T) {
	var cache *store.Cache
	put(t, cache, "k", "v")
	assertGet(t, cache, "k", "", false)
}

// Several caches on one folder stand for several processes.
func TestReadersNeverSeeHalfAValue(t *testing.T) {
	dir := t.TempDir()
	var workers sync.WaitGroup
	for w := range 4 {
		cache := open(t, dir, 20_000)
		workers.Go(func() {
			for i := range 100 {
				key := fmt.Sprint(i % 7)
				if err := cache.Put(key, bytes.Repeat([]byte(key), 1000+w)); err != nil {
					t.Error(err)
				}
				if got, ok := cache.Get(key); ok && len(bytes.Trim(got, key)) > 0 {
					t.Errorf("Get(%s) = %.20q", key, got)
				}
			}
		})
	}
	workers.Wait()
}

func TestOpenSaysWhichFolderCannotBeUsed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Open(file, 0); err == nil || !bytes.Contains([]byte(err.Error()), []byte(file)) {
		t.Errorf("Open(a file) error = %v, want one that names it", err)
	}
}

func open(t *testing.T, dir string, max int64) *store.Cache {
	t.Helper()
	cache, err := store.Open(dir, max)
	if err != nil {
		t.Fatal(err)
	}
	return cache
}

func put(t *testing.T, cache *store.Cache, key, value string) {
	t.Helper()
	if err := cache.Put(key, []byte(value)); err != nil {
		t.Fatal(err)
	}
}

func assertGet(t *testing.T, cache *store.Cache, key, want string, wantOK bool) {
	t.Helper()
	got, ok := cache.Get(key)
	if string(got) != want || ok != wantOK {
		t.Errorf("Get(%q) = %.20q, %v, want %.20q, %v", key, got, ok, want, wantOK)
	}
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	var all []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			all = append(all, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// age makes every file that was just written look d old.
func age(t *testing.T, dir string, d time.Duration) {
	t.Helper()
	for _, file := range files(t, dir) {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		if time.Since(info.ModTime()) < time.Minute {
			old := time.Now().Add(-d)
			if err := os.Chtimes(file, old, old); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func total(t *testing.T, dir string) (size int64) {
	t.Helper()
	for _, file := range files(t, dir) {
		info, err := os.Stat(file)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	return size
}
