package jobs

import (
	"io"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
)

// gate is a proxy between the program and a server that can be shut.
type gate struct {
	url      string // of the server, through the gate
	server   string
	listener net.Listener

	statements atomic.Int64 // that the callers have sent to MySQL

	mu    sync.Mutex
	left  int // how many connections are still to be refused
	count int // how many were
	conns map[net.Conn]bool
}

// openGate opens a gate to the server of the URL.
func openGate(t *testing.T, serverURL string) *gate {
	t.Helper()
	u, err := url.Parse(serverURL)
	must(t, err)
	g := &gate{server: u.Host, conns: map[net.Conn]bool{}}
	g.listener, err = net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	u.Host = g.listener.Addr().String()
	g.url = u.String()
	var calls sync.WaitGroup
	calls.Go(func() { g.serve(&calls) })
	t.Cleanup(func() {
		_ = g.listener.Close()
		g.shut(0)
		calls.Wait()
	})
	return g
}

// shut closes all connections, and refuses a number of new ones.
func (g *gate) shut(refusals int) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left = refusals
	for c := range g.conns {
		_ = c.Close()
	}
	clear(g.conns)
}

// refused returns how many connections were refused.
func (g *gate) refused() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.count
}

func (g *gate) serve(calls *sync.WaitGroup) {
	for {
		caller, err := g.listener.Accept()
		if err != nil {
			return
		}
		if !g.enter(caller) {
			_ = caller.Close()
			continue
		}
		server, err := net.Dial("tcp", g.server)
		if err != nil || !g.enter(server) {
			_ = caller.Close()
			continue
		}
		calls.Go(func() { g.pass(server, io.TeeReader(caller, &counter{count: &g.statements}), caller) })
		calls.Go(func() { g.pass(caller, server, server) })
	}
}

// enter registers a connection for shut, and reports false if it is refused.
func (g *gate) enter(c net.Conn) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.left > 0 {
		g.left--
		g.count++
		return false
	}
	g.conns[c] = true
	return true
}

// pass copies what comes from a connection, until either side closes.
func (g *gate) pass(to net.Conn, from io.Reader, of net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = to.Close(), of.Close()
}

// counter counts the commands in what a client sends to MySQL: packets with the sequence number 0. A packet begins with
// its length, of three bytes, and its number.
type counter struct {
	count *atomic.Int64
	head  []byte
	rest  int // of the packet's body
}

func (c *counter) Write(p []byte) (int, error) {
	for _, b := range p {
		switch {
		case c.rest > 0:
			c.rest--
		case len(c.head) < 3:
			c.head = append(c.head, b)
		default:
			if b == 0 {
				c.count.Add(1)
			}
			c.rest, c.head = int(c.head[0])|int(c.head[1])<<8|int(c.head[2])<<16, c.head[:0]
		}
	}
	return len(p), nil
}
