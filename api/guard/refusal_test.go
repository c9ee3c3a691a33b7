package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"syscall"
	"testing"

	"purr/models"
)

// TestO7AFullDiskIsNoFaultOfOurs has what becomes of an error before a caller is answered.
func TestO7AFullDiskIsNoFaultOfOurs(t *testing.T) {
	t.Parallel()
	writing := func(no syscall.Errno) error {
		return fmt.Errorf("keep the PDF: %w", &fs.PathError{Op: "write", Path: "x", Err: no})
	}
	for _, tt := range []struct {
		err  error
		want int
	}{
		{writing(syscall.ENOSPC), http.StatusServiceUnavailable},
		{writing(syscall.EDQUOT), http.StatusServiceUnavailable},
		{writing(syscall.EROFS), http.StatusServiceUnavailable},
		{writing(syscall.EIO), http.StatusInternalServerError},
		{errors.New("no file at all"), http.StatusInternalServerError},
		{models.Conflict("busy", "%v", writing(syscall.ENOSPC)), http.StatusConflict},
		{&models.Error{Kind: models.KindFull, Code: "disk_full", Err: writing(syscall.ENOSPC)}, http.StatusInsufficientStorage},
	} {
		got := DiskFull(tt.err)
		if status := StatusOf(models.KindOf(got)); status != tt.want || !errors.Is(got, tt.err) {
			t.Errorf("%v is answered %d (%v), want %d", tt.err, status, got, tt.want)
		}
	}
	if DiskFull(nil) != nil {
		t.Error("no error has become one")
	}
}
