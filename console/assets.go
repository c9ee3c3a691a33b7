package console

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"mime"
	"net/http"
	"path"
	"strings"
)

//go:embed assets
var assetFiles embed.FS

// assetStore are the files that pages load: style sheet, script, icons. A file's path has the hash of its content, so a
// browser keeps it for ever.
type assetStore map[string]assetFile // by name

type assetFile struct {
	path, media string
	content     []byte
}

var assets = readAssets()

func readAssets() assetStore {
	all := assetStore{}
	files, err := assetFiles.ReadDir("assets")
	if err != nil {
		panic(err)
	}
	for _, f := range files {
		content, err := assetFiles.ReadFile("assets/" + f.Name())
		if err != nil {
			panic(err)
		}
		sum := sha256.Sum256(content)
		all[f.Name()] = assetFile{"/assets/" + hex.EncodeToString(sum[:6]) + "/" + f.Name(), mime.TypeByExtension(path.Ext(f.Name())), content}
	}
	return all
}

func (a assetStore) path(name string) string { return a[name].path }

// asset answers with a file that pages load. It needs no session.
func (s *Server) asset(w http.ResponseWriter, r *http.Request) {
	f, found := assets[path.Base(r.URL.Path)]
	if !found || f.path != r.URL.Path || strings.HasPrefix(path.Base(r.URL.Path), ".") {
		s.serve(route{path: "/"}).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", f.media)
	w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	s.secureHeaders(w, r)
	s.cfg.Timeouts.Answering(w, int64(len(f.content)))
	_, _ = w.Write(f.content)
}
