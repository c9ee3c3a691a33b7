package archive

import (
	"math/rand/v2"
	"testing"

	"purr/internal/storage"
	"purr/test/testkit"
)

// BenchmarkPutAll keeps a batch of 100 PDFs of 45 kB, in a folder and in a bucket of an S3 server on the same disk (rule K2).
func BenchmarkPutAll(b *testing.B) {
	eachBackend(b, func(b *testing.B, a *Archive) { putBatches(b, a) })
}

// BenchmarkRead reads PDFs of 45 kB one after the other.
func BenchmarkRead(b *testing.B) {
	eachBackend(b, func(b *testing.B, a *Archive) {
		sums, err := a.PutAll(b.Context(), pdfs(100))
		if err != nil {
			b.Fatal(err)
		}
		for i := 0; b.Loop(); i++ {
			if _, err := a.Read(sums[i%len(sums)]); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func eachBackend(b *testing.B, measure func(*testing.B, *Archive)) {
	b.Run("folder", func(b *testing.B) {
		a, err := Open(b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		measure(b, a)
	})
	b.Run("bucket", func(b *testing.B) {
		in, err := storage.Open(b.Context(), testkit.S3(b).Direct("archive"))
		if err != nil {
			b.Fatal(err)
		}
		a, err := OpenIn(in, b.TempDir())
		if err != nil {
			b.Fatal(err)
		}
		measure(b, a)
	})
}

func pdfs(n int) (all [][]byte) {
	for range n {
		content := make([]byte, 45_000)
		for i := range content {
			content[i] = byte(rand.Uint32())
		}
		all = append(all, content)
	}
	return all
}

func putBatches(b *testing.B, a *Archive) {
	const batch = 100
	for b.Loop() {
		b.StopTimer()
		contents := pdfs(batch)
		b.StartTimer()
		if _, err := a.PutAll(b.Context(), contents); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(batch*b.N)/b.Elapsed().Seconds(), "files/s")
}
