// Package assets holds the files that the console's pages load: style sheet, script, icons. It knows nothing else of ours.
package assets

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"path"
)

//go:embed *.css *.js *.svg
var embedded embed.FS

// File is a file that pages load. Its path has the hash of its content, so a browser may keep it for ever.
type File struct {
	Path, Media string
	Content     []byte
}

var files = read()

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
		all[e.Name()] = File{"/assets/" + hex.EncodeToString(sum[:6]) + "/" + e.Name(), mime.TypeByExtension(path.Ext(e.Name())), content}
	}
	return all
}

// Path returns the path of a file by its name; a name that is not there is a fault of the program.
func Path(name string) string { return files[name].Path }

// At returns the file whose path it is.
func At(at string) (File, bool) {
	f, found := files[path.Base(at)]
	return f, found && f.Path == at
}
