package jobs

import (
	"io"
	"net"
	"net/url"
	"sync"
	"testing"
)

// gate is a proxy between the program and a server that can be shut.
type gate struct {
	url      string // of the server, through the gate
	server   string
	listener net.Listener

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
		calls.Go(func() { g.pass(server, caller) })
		calls.Go(func() { g.pass(caller, server) })
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

// pass copies what comes, until either side closes.
func (g *gate) pass(to, from net.Conn) {
	_, _ = io.Copy(to, from)
	_, _ = to.Close(), from.Close()
}
