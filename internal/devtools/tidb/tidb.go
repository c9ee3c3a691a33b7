//go:build tools

// Package tidb names the database server TiDB, which "make tidb" builds with the versions of this module: no program of purr's
// needs any of it.
package tidb

import _ "github.com/pingcap/tidb/cmd/tidb-server"
