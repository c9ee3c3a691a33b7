//go:build cluster

// Package cluster_test runs purr on a Galera cluster of three nodes that all take writes, while nodes are killed, hang and
// are restarted (rule K1), and on Redis with Sentinels and as a Cluster, while masters are killed (rule K4). "make
// test-cluster" runs it.
package cluster_test

import (
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
	"purr/test/testkit/smtpserver"
)

// cluster is the database servers with one purr on each.
type cluster struct {
	t         *testing.T
	nodes     []*servers.Server
	databases []string // the URL of the one database on each node
	data      string
	redis     string // its URL
	mails     *smtpserver.Server
	parts     []*process
}

func start(t *testing.T) *cluster {
	t.Helper()
	nodes, databases := testkit.Galera(t)
	return &cluster{t: t, nodes: nodes, databases: databases, data: t.TempDir(), mails: smtpserver.Start(t)}
}

// on returns the variables of a purr on the node.
func (c *cluster) on(node int) []string {
	return []string{
		"PURR_DATABASE_URL=" + c.databases[node], "PURR_REDIS_URL=" + c.redis, "PURR_DATA=" + c.data, "PURR_SMTP_URL=" + c.mails.URL(),
	}
}

// TestK1WritersOnAllNodes migrates from three nodes at once. Then invoices are issued through all nodes while one is killed,
// one hangs for 45 seconds, and all are restarted one after the other. At last all parts end in time, without Redis too (rules
// K1, R4).
func TestK1WritersOnAllNodes(t *testing.T) {
	c, queue := start(t), testkit.RedisServer(t)
	c.redis = queue.URL
	c.migrate()
	run(t, c.on(0), "creditor", "create", "--name", "Fjord Rør AS", "--bank-account", "12345678903", "--email", "post@fjord-ror.example")
	key := run(t, c.on(1), "keys", "create", "--creditor", "Fjord Rør AS")
	var apis []string
	for i := range c.nodes {
		api := begin(t, c.on(i), "api", "--listen", "127.0.0.1:0")
		apis = append(apis, api.url())
		c.parts = append(c.parts, api, begin(t, c.on(i), "worker"), begin(t, c.on(i), "scheduler"))
	}

	alone := startLoad(t, "alone", apis[:1], key, 9)
	c.awaits(alone, "all writers on one node", 300)
	alone.finish()

	l := startLoad(t, "spread", apis, key, 3)
	maps.Copy(l.acknowledged, alone.acknowledged)
	c.awaits(l, "writers on all nodes", 300)
	c.nodes[2].Kill()
	c.awaits(l, "without a node", 100)
	testkit.Must(t, c.nodes[2].Start(t.Context()))
	c.awaits(l, "with the node again", 100)

	testkit.Must(t, c.nodes[1].Signal(syscall.SIGSTOP))
	time.Sleep(45 * time.Second)
	testkit.Must(t, c.nodes[1].Signal(syscall.SIGCONT))
	testkit.Must(t, c.nodes[1].Await(t.Context()))
	c.awaits(l, "after the hanging node", 100)

	for i, n := range c.nodes {
		testkit.Must(t, n.End())
		c.awaits(l, fmt.Sprintf("node %d is restarted", i+1), 50)
		testkit.Must(t, n.Start(t.Context()))
	}
	c.awaits(l, "all nodes were restarted", 50)
	l.finish()
	c.check(l)

	queue.Kill() // the parts must end without it too
	var ending sync.WaitGroup
	for _, p := range c.parts {
		ending.Go(p.end)
	}
	ending.Wait()
	for _, p := range c.parts {
		for _, line := range p.log.Lines("panic") {
			t.Errorf("purr %s: %s", p.name, line)
		}
	}
	for status := range l.answers {
		if n := l.answers[status].Load(); n > 0 {
			t.Logf("%d requests were answered %d (0: not at all)", n, status)
		}
	}
	t.Logf("%d invoices; the slowest answer took %s", l.count(), l.slowest)
}

// migrate runs three migrations at once: one migrates, the others wait for it.
func (c *cluster) migrate() {
	c.t.Helper()
	var said [3]string
	var all sync.WaitGroup
	for i := range said {
		all.Go(func() {
			out, err := command(c.on(i), "migrate").CombinedOutput()
			said[i] = string(out)
			if err != nil {
				c.t.Errorf("purr migrate on node %d: %v: %s", i+1, err, out)
			}
		})
	}
	all.Wait()
	if said[0] != said[1] || said[1] != said[2] {
		c.t.Errorf("they said %q", said)
	}
}

// awaits waits until so many more invoices are acknowledged.
func (c *cluster) awaits(l *load, what string, more int) {
	c.t.Helper()
	began, from := time.Now(), l.count()
	testkit.Eventually(c.t, what, func() (bool, any) { return l.count() >= from+more, l.count() - from })
	c.t.Logf("%s: %.0f invoices a second", what, float64(l.count()-from)/time.Since(began).Seconds())
}

// check looks at all that must hold in the end: what was acknowledged is there on every node, the numbers have no gap, each
// invoice is sent once, and the books hold.
func (c *cluster) check(l *load) {
	t := c.t
	t.Helper()
	var numbers []int
	for path, number := range l.acknowledged {
		n, err := strconv.Atoi(number)
		testkit.Must(t, err)
		numbers = append(numbers, n)
		for api := range l.apis {
			if status, _, answer := l.ask(http.MethodGet, api, path, "", ""); status != http.StatusOK {
				t.Errorf("invoice %s is answered %d by API %d: %s", number, status, api+1, answer)
			}
		}
	}
	slices.Sort(numbers)
	for i, n := range numbers {
		if n != i+1 {
			t.Errorf("number %d is followed by %d", i, n)
			break
		}
	}
	testkit.Eventually(t, "all invoices are sent", func() (bool, any) { return len(c.mails.Messages()) >= len(numbers), len(c.mails.Messages()) })
	sent := map[string]int{}
	for _, m := range c.mails.Messages() {
		sent[messageID.FindString(string(m.Data))]++
	}
	for id, times := range sent {
		if times > 1 {
			t.Errorf("%s was sent %d times", id, times)
		}
	}
	if len(sent) != len(numbers) {
		t.Errorf("%d mails of %d invoices were sent", len(sent), len(numbers))
	}
	for i := range c.nodes {
		out := run(t, c.on(i), "verify")
		if strings.Contains(out, "difference") && !strings.Contains(out, "no difference") {
			t.Errorf("purr verify on node %d: %s", i+1, out)
		}
	}
}

var messageID = regexp.MustCompile(`(?mi)^Message-ID:\s*\S+`)
