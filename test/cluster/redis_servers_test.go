//go:build cluster

package cluster_test

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// The users of the Redis servers. Nobody gets in without a name and a password.
const (
	ours      = "purr"     // what purr is on the servers
	watcher   = "watcher"  // what Sentinels are on the servers
	follower  = "follower" // what a replica is on its master
	asker     = "asker"    // what purr and other Sentinels are on a Sentinel
	password  = "hush"
	masterSet = "main" // the name of the master that the Sentinels watch
)

// redisNode is one Redis server or Sentinel. It speaks TLS alone.
type redisNode struct {
	t       *testing.T
	port    int
	folder  string
	program []string
	c       *exec.Cmd
	exited  chan struct{}
	trusts  *tls.Config
}

// redisHouse makes Redis servers that share a certificate.
type redisHouse struct {
	t           *testing.T
	folder      string
	certificate testkit.Certificate
}

func newRedisHouse(t *testing.T) *redisHouse {
	t.Helper()
	h := &redisHouse{t: t, folder: t.TempDir(), certificate: testkit.NewCertificate(t)}
	h.certificate.Write(t, h.authority(), h.key())
	return h
}

func (h *redisHouse) authority() string { return filepath.Join(h.folder, "chain.pem") }
func (h *redisHouse) key() string       { return filepath.Join(h.folder, "key.pem") }

// start starts a server with further lines of configuration. The arguments follow its file.
func (h *redisHouse) start(lines string, arguments ...string) *redisNode {
	t := h.t
	t.Helper()
	folder := t.TempDir()
	n := &redisNode{
		t: t, port: freePort(t), folder: folder, program: append([]string{"redis-server", filepath.Join(folder, "redis.conf")}, arguments...),
		trusts: &tls.Config{RootCAs: h.certificate.Roots, MinVersion: tls.VersionTLS12},
	}
	text := fmt.Sprintf("port 0\ntls-port %d\ntls-cert-file %s\ntls-key-file %s\ntls-ca-cert-file %[2]s\ntls-auth-clients no\ntls-replication yes\n"+
		"bind 127.0.0.1\ndir %[4]s\nuser default off\n%[5]s\n", n.port, h.authority(), h.key(), folder, lines)
	testkit.Must(t, os.WriteFile(n.program[1], []byte(text), 0o600))
	n.begin()
	t.Cleanup(n.kill)
	return n
}

func freePort(t *testing.T) int {
	t.Helper()
	for range 100 { // a Cluster uses the port that is 10 000 above it too
		l, err := net.Listen("tcp", "127.0.0.1:0")
		testkit.Must(t, err)
		port := l.Addr().(*net.TCPAddr).Port
		testkit.Must(t, l.Close())
		if port < 55_000 {
			return port
		}
	}
	t.Fatal("there is no free port")
	return 0
}

func (n *redisNode) address() string { return "127.0.0.1:" + strconv.Itoa(n.port) }

// begin starts the server, again if it was killed.
func (n *redisNode) begin() {
	n.t.Helper()
	log, err := os.OpenFile(filepath.Join(n.folder, "log"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	testkit.Must(n.t, err)
	n.c, n.exited = exec.Command(n.program[0], n.program[1:]...), make(chan struct{})
	n.c.Stdout, n.c.Stderr, n.c.SysProcAttr = log, log, servers.DieWithParent()
	testkit.Must(n.t, n.c.Start())
	go func(c *exec.Cmd, exited chan struct{}) {
		_ = c.Wait()
		_ = log.Close()
		close(exited)
	}(n.c, n.exited)
}

func (n *redisNode) kill() {
	_ = n.c.Process.Kill()
	<-n.exited
	if n.t.Failed() {
		said, _ := os.ReadFile(filepath.Join(n.folder, "log"))
		n.t.Logf("Redis %s:\n%s", n.address(), said[max(0, len(said)-1500):])
	}
}

// do makes a command as the user. It returns the answer as text.
func (n *redisNode) do(user string, command ...any) (string, error) {
	client := redis.NewClient(&redis.Options{Addr: n.address(), Username: user, Password: password, TLSConfig: n.trusts, MaxRetries: -1})
	defer func() { _ = client.Close() }()
	answer, err := client.Do(context.Background(), command...).Result()
	return fmt.Sprint(answer), err
}

// must makes a command that must succeed.
func (n *redisNode) must(command ...any) string {
	n.t.Helper()
	answer, err := n.do(ours, command...)
	testkit.Must(n.t, err)
	return answer
}

// says waits until a command's answer holds a text.
func (n *redisNode) says(text, user string, command ...any) {
	n.t.Helper()
	testkit.Eventually(n.t, fmt.Sprintf("Redis answers %v with %s", command, text), func() (bool, any) {
		answer, err := n.do(user, command...)
		return err == nil && strings.Contains(answer, text), fmt.Sprint(answer, err)
	})
}

// takesOver waits until a replica has become the master, and tells how long that took.
func (n *redisNode) takesOver() {
	n.t.Helper()
	began := time.Now()
	n.says("role:master", ours, "INFO", "replication")
	n.t.Logf("Redis %s has taken over after %s", n.address(), time.Since(began).Round(10*time.Millisecond))
}

// users are the lines of a server's users, and of what it is on its master.
var users = fmt.Sprintf("user %s on >%s ~* &* +@all\nuser %s on >%[2]s ~* &* +@all\nuser %[4]s on >%[2]s +psync +replconf +ping\n"+
	"masteruser %[4]s\nmasterauth %[2]s\nsave \"\"\nappendonly no\n", ours, password, watcher, follower)

// sentinels starts a master, its replica and three Sentinels. It returns them with the URL for purr.
func (h *redisHouse) sentinels() (master, replica *redisNode, url string) {
	h.t.Helper()
	master = h.start(users)
	master.says("PONG", ours, "PING")
	replica = h.start(users + fmt.Sprintf("replicaof 127.0.0.1 %d\n", master.port))
	replica.says("master_link_status:up", ours, "INFO", "replication")
	var addresses []string
	var all []*redisNode
	for range 3 {
		s := h.start(fmt.Sprintf("user %s on >%s ~* &* +@all\nsentinel sentinel-user %[1]s\nsentinel sentinel-pass %[2]s\n"+
			"sentinel monitor %[3]s 127.0.0.1 %[4]d 2\nsentinel auth-user %[3]s %[5]s\nsentinel auth-pass %[3]s %[2]s\n"+
			"sentinel down-after-milliseconds %[3]s 2000\nsentinel failover-timeout %[3]s 10000\n", asker, password, masterSet, master.port, watcher), "--sentinel")
		addresses, all = append(addresses, s.address()), append(all, s)
	}
	for _, s := range all { // each knows the two others, and the replica
		s.says("num-other-sentinels:2", asker, "SENTINEL", "MASTER", masterSet)
		s.says(replica.address(), asker, "SENTINEL", "REPLICAS", masterSet)
	}
	return master, replica, fmt.Sprintf("rediss+sentinel://%s:%s@%s/0?master=%s&sentinel=%s:%[2]s&ca=%[6]s",
		ours, password, strings.Join(addresses, ","), masterSet, asker, h.authority())
}

// clustered starts a Cluster of three masters with a replica each. It returns them with the URL for purr.
func (h *redisHouse) clustered() (masters, replicas []*redisNode, url string) {
	h.t.Helper()
	var all []*redisNode
	for range 6 {
		n := h.start(users + "tls-cluster yes\ncluster-enabled yes\ncluster-node-timeout 2000\n")
		n.says("PONG", ours, "PING")
		all = append(all, n)
	}
	const slots = 16384
	var addresses []string
	for i, n := range all {
		all[0].must("CLUSTER", "MEET", "127.0.0.1", n.port)
		if i < 3 {
			n.must("CLUSTER", "ADDSLOTSRANGE", i*slots/3, (i+1)*slots/3-1)
			addresses, masters = append(addresses, n.address()), append(masters, n)
		}
	}
	for _, n := range all {
		n.says("cluster_known_nodes:6", ours, "CLUSTER", "INFO")
	}
	for i, n := range masters {
		id := n.must("CLUSTER", "MYID")
		all[i+3].says("OK", ours, "CLUSTER", "REPLICATE", id)
		all[i+3].says("master_link_status:up", ours, "INFO", "replication")
	}
	for _, n := range all {
		n.says("cluster_state:ok", ours, "CLUSTER", "INFO")
	}
	return masters, all[3:], fmt.Sprintf("rediss+cluster://%s:%s@%s?ca=%s", ours, password, strings.Join(addresses, ","), h.authority())
}
