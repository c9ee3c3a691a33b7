package archive

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestO7OnlyTheSameBytesArePutBack(t *testing.T) {
	t.Parallel()
	a, path, sum := withFile(t, "same")
	must(t, os.WriteFile(path, []byte("else"), 0o600))
	f := File{What: "the letter", Sum: sum, Render: rendered("more", nil)}
	got, err := a.Kept(t.Context(), f)
	if still, is := errors.AsType[*Fault](err); got != nil || !is || still.Word != Damaged || !strings.HasPrefix(err.Error(), "the letter: the kept file ") {
		t.Errorf("with other bytes: %q, %v", got, err)
	}
	broken := errors.New("no pen")
	f.Render = rendered("", broken)
	if got, err := a.Kept(t.Context(), f); got != nil || !errors.Is(err, broken) {
		t.Errorf("with none: %q, %v", got, err)
	}
	f.Render = rendered("same", nil)
	if got, err := a.Kept(t.Context(), f); string(got) != "same" || err != nil {
		t.Errorf("with the same: %q, %v", got, err)
	}
	if data, err := a.Read(sum); err != nil || string(data) != "same" || a.Counts().Mended != 1 {
		t.Errorf("put back: %q, %v", data, err)
	}
}

func rendered(content string, err error) func(context.Context, string) ([]byte, error) {
	return func(context.Context, string) ([]byte, error) { return []byte(content), err }
}

// TestD35AFileIsMadeOnce asks for files that are there, that are new, that cannot be made, and that somebody else was faster with.
func TestD35AFileIsMadeOnce(t *testing.T) {
	t.Parallel()
	a, _, theirs := withFile(t, "theirs")
	broken := errors.New("no pen")
	never := func(context.Context, string) ([]byte, error) { t.Error("what is kept is made again"); return nil, nil }
	files := []File{{Sum: theirs, Render: never}, {Render: rendered("new", nil)}, {Render: rendered("", broken)}, {Render: rendered("late", nil)}}
	made, err := a.OnceAll(t.Context(), files, func(_ context.Context, sums []string) ([]string, error) {
		if want := []string{"", Sum([]byte("new")), "", Sum([]byte("late"))}; !slices.Equal(sums, want) {
			t.Errorf("to be noted are %q, want %q", sums, want)
		}
		return []string{"", sums[1], "", theirs}, nil
	})
	must(t, err)
	if got, want := fmt.Sprintf("%s", made), "[{theirs <nil>} {new <nil>} { no pen} {theirs <nil>}]"; got != want {
		t.Errorf("made are %s, want %s", got, want)
	}
	if data, err := a.Read(Sum([]byte("new"))); err != nil || string(data) != "new" {
		t.Errorf("kept is %q, %v", data, err)
	}
	if got, err := a.Once(t.Context(), files[1], func(context.Context, string) (string, error) { return "", broken }); got != nil || !errors.Is(err, broken) {
		t.Errorf("not noted: %q, %v", got, err)
	}
	noNote := func(context.Context, string) (string, error) { t.Error("nothing is new"); return "", nil }
	if got, err := a.Once(t.Context(), files[0], noNote); string(got) != "theirs" || err != nil {
		t.Errorf("once more: %q, %v", got, err)
	}
	if got, err := a.Once(t.Context(), files[2], noNote); len(got) != 0 || !errors.Is(err, broken) {
		t.Errorf("what cannot be made: %q, %v", got, err)
	}
}
