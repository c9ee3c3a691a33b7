package disk

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestWriteLeavesAWholeFileOrNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, content := range []string{"first", "second"} {
		if err := Write(dir, "letter.pdf", []byte(content)); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(filepath.Join(dir, "letter.pdf")); err != nil || string(got) != content {
			t.Errorf("it holds %q, %v", got, err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "taken"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := Write(dir, "taken", []byte("x")); err == nil {
		t.Error("a folder was replaced")
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 2 {
		t.Errorf("the folder holds %v, %v", left, err)
	}
}

func TestWriteAllTellsOfEachFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, folder := range []string{"a", "b", "taken"} {
		if err := os.Mkdir(filepath.Join(dir, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{"a/first", "taken", "b/second", "none/third", "a/fourth"}
	var files []File
	for _, name := range names {
		files = append(files, File{filepath.Join(dir, name), []byte(name)})
	}
	errs := WriteAll(dir, files)
	for i, f := range files {
		content, err := os.ReadFile(f.Path)
		if whole := err == nil && string(content) == names[i]; whole == (i == 1 || i == 3) || whole != (errs[i] == nil) {
			t.Errorf("%s holds %q, %v; WriteAll says %v", names[i], content, err, errs[i])
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 3 {
		t.Errorf("the folder of the drafts holds %v, %v", left, err)
	}
}

// The folder's name has the letters that a pattern gives a meaning.
func TestSweepRemovesWhatIsOldAndUnfinished(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "[a-z]*")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	for name, age := range map[string]time.Duration{".old.pdf-1.tmp": time.Hour, ".new.pdf-1.tmp": 0, "whole.tmp": time.Hour, ".hidden": time.Hour} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now, now.Add(-age)); err != nil {
			t.Fatal(err)
		}
	}
	if err := Sweep(dir, Unfinished, now.Add(-time.Minute)); err != nil {
		t.Fatal(err)
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) != 3 || left[0].Name() == ".old.pdf-1.tmp" || left[1].Name() == ".old.pdf-1.tmp" || left[2].Name() == ".old.pdf-1.tmp" {
		t.Errorf("left are %v, %v", left, err)
	}
}

func TestO13FreeRoomIsAskedOfTheDisk(t *testing.T) {
	t.Parallel()
	if free, err := Free(t.TempDir()); err != nil || free <= 0 {
		t.Errorf("%d bytes are free, %v", free, err)
	}
	if _, err := Free(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a folder that is not there has room")
	}
}
