package testkit

import (
	"os"
	"testing"

	"purr/test/testkit/servers"
)

// Galera starts a cluster of three MariaDB servers that all take writes, with an empty database, and stops it when the test ends. It returns
// the servers and the database's URL on each.
func Galera(t testing.TB) (nodes []*servers.Server, databases []string) {
	t.Helper()
	cluster, err := servers.StartGalera(t.Context(), servers.Options{Dir: os.TempDir()}) //nolint:usetesting // sockets need a short path
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := cluster.Stop(); err != nil {
			t.Errorf("stop the cluster: %v", err)
		}
	})
	db, err := servers.OpenMySQL(cluster.Nodes[0].URL)
	Must(t, err)
	_, err = db.ExecContext(t.Context(), "CREATE DATABASE purr CHARACTER SET utf8mb4 COLLATE utf8mb4_bin")
	Must(t, err)
	Must(t, db.Close())
	for _, n := range cluster.Nodes {
		databases = append(databases, n.URL+"/purr")
	}
	return cluster.Nodes, databases
}
