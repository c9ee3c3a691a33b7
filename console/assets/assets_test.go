package assets

import "testing"

// TestE10AssetsAreSmall bounds what a first visit loads.
func TestE10AssetsAreSmall(t *testing.T) {
	t.Parallel()
	size := 0
	for _, f := range files() {
		size += len(f.Content)
	}
	if size > 30<<10 {
		t.Errorf("the assets have %d bytes, more than 30 KiB", size)
	}
}
