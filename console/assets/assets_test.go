package assets

import "testing"

// TestE10AssetsAreSmall bounds what a first visit loads.
func TestE10AssetsAreSmall(t *testing.T) {
	t.Parallel()
	size := 0
	for _, f := range files() {
		size += len(f.Content)
	}
	if size > 32<<10 {
		t.Errorf("the assets have %d bytes, more than 32 KiB", size)
	}
}
