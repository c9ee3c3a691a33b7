// Package assets holds the files that the console's pages load: style sheet, script, icons. It knows nothing else of ours.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"path"
	"sync"
)

//go:embed *.css *.js *.svg
var embedded embed.FS

// File is a file that pages load. Its path has the hash of its content, so a browser may keep it for ever.
type File struct {
	Path, Media string
	Content     []byte
}

// media are the media types by the end of a name. The system's own table is large, and may know them by other names.
var media = map[string]string{".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml"}

// files are those that are embedded, by name.
var files = sync.OnceValue(read)

func read() map[string]File {
	all := map[string]File{}
	entries, err := embedded.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, e := range entries {
		content, err := embedded.ReadFile(e.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		all[e.Name()] = File{"/assets/" + hex.EncodeToString(sum[:6]) + "/" + e.Name(), media[path.Ext(e.Name())], content}
	}
	return all
}

// Path returns the path of a file by its name; a name that is not there is a fault of the program.
func Path(name string) string { return files()[name].Path }

// At returns the file whose path it is.
func At(at string) (File, bool) {
	f, found := files()[path.Base(at)]
	return f, found && f.Path == at
}
