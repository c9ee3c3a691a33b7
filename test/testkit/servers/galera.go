package servers

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// Galera is a cluster of three MariaDB servers, each of which takes writes.
type Galera struct {
	Nodes []*Server // the first has begun the cluster

	dir string
}

// nobody is the user of the nodes where the tests are root's: the rsync that copies the data to a new node serves nobody
// else's files then.
const nobody = "nobody"

// providers are the places of the Galera library: Debian's, Red Hat's.
var providers = []string{"/usr/lib/galera/libgalera_smm.so", "/usr/lib64/galera-4/libgalera_smm.so"}

// StartGalera starts three nodes on free ports of 127.0.0.1. The second and the third get their data from the first.
func StartGalera(ctx context.Context, options Options) (*Galera, error) {
	program, err := find("mariadbd")
	if err != nil {
		return nil, err
	}
	installed := slices.IndexFunc(providers, func(path string) bool { _, err := os.Stat(path); return err == nil })
	if installed < 0 {
		return nil, errors.New("the library of Galera is not installed: run \"make test-cluster\", which installs what is missing")
	}
	dir, err := os.MkdirTemp(options.Dir, "galera-")
	if err != nil {
		return nil, err
	}
	g := &Galera{dir: dir}
	if err := g.start(ctx, program, providers[installed]); err != nil {
		return nil, errors.Join(err, g.Stop())
	}
	return g, nil
}

func (g *Galera) start(ctx context.Context, program, provider string) error {
	if err := os.Chmod(g.dir, 0o755); err != nil { // for nobody
		return err
	}
	var ports [3][4]int
	var members []string
	for i := range ports {
		for k := range ports[i] {
			var err error
			if ports[i][k], err = freePort(ctx); err != nil {
				return err
			}
		}
		members = append(members, localAddress(ports[i][1]))
	}
	account := url.UserPassword("purr", filepath.Base(g.dir))
	for i := range ports {
		dir := filepath.Join(g.dir, fmt.Sprintf("node%d", i+1))
		if err := os.MkdirAll(filepath.Join(dir, "data"), 0o755); err != nil {
			return err
		}
		s := &Server{dir: dir, URL: serverURL("mysql", account, ports[i][0])}
		s.ready = func(ctx context.Context) error { return synced(ctx, s.URL) }
		s.command = append([]string{program}, galeraArguments(dir, provider, members, ports[i])...)
		if err := ownedByNobody(dir); err != nil {
			return err
		}
		if i == 0 {
			if err := prepareNode(ctx, program, dir, account); err != nil {
				return err
			}
			s.command = append(s.command, "--wsrep-new-cluster")
		}
		g.Nodes = append(g.Nodes, s)
		if err := s.Start(ctx); err != nil {
			return err
		}
	}
	first := g.Nodes[0] // it joins the others when it comes again
	first.command = first.command[:len(first.command)-1]
	return nil
}

// prepareNode makes the system tables of the first node, and the account.
func prepareNode(ctx context.Context, program, dir string, account *url.Userinfo) error {
	installer, err := find("mariadb-install-db")
	if err != nil {
		return err
	}
	folder := nodeFolder(dir)
	install := exec.CommandContext(ctx, installer, append([]string{"--no-defaults", "--skip-test-db", "--force"}, folder...)...)
	install.Env = append(os.Environ(), "TMPDIR="+dir)
	if out, err := install.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", installer, err, out)
	}
	password, _ := account.Password()
	bootstrap := exec.CommandContext(ctx, program, append([]string{"--no-defaults", "--bootstrap", "--tmpdir=" + dir}, folder...)...)
	bootstrap.Stdin = strings.NewReader(fmt.Sprintf("FLUSH PRIVILEGES;\nCREATE USER '%[1]s'@'127.0.0.1' IDENTIFIED BY '%[2]s';\n"+
		"GRANT ALL ON *.* TO '%[1]s'@'127.0.0.1';\n", account.Username(), password))
	if out, err := bootstrap.CombinedOutput(); err != nil {
		return fmt.Errorf("make the account: %w\n%s", err, out)
	}
	return nil
}

func nodeFolder(dir string) []string {
	folder := []string{"--datadir=" + filepath.Join(dir, "data")}
	if os.Geteuid() == 0 {
		folder = append(folder, "--user="+nobody)
	}
	return folder
}

// galeraArguments are those of a node. Its ports are those for clients, for the group, and for the two ways to get the data.
func galeraArguments(dir, provider string, members []string, ports [4]int) []string {
	return append(append([]string{"--no-defaults"}, nodeFolder(dir)...),
		"--socket="+filepath.Join(dir, "socket"),
		"--pid-file="+filepath.Join(dir, "pid"),
		"--tmpdir="+dir,
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--port=%d", ports[0]),
		"--skip-name-resolve",
		"--character-set-server=utf8mb4",
		"--binlog-format=ROW",
		"--innodb-autoinc-lock-mode=2",
		"--innodb-flush-log-at-trx-commit=2",
		"--innodb-buffer-pool-size=128M",
		"--innodb-log-file-size=32M",
		"--wsrep-on=ON",
		"--wsrep-provider="+provider,
		"--wsrep-cluster-name="+filepath.Base(filepath.Dir(dir)),
		"--wsrep-cluster-address=gcomm://"+strings.Join(members, ","),
		"--wsrep-node-name="+filepath.Base(dir),
		"--wsrep-node-address=127.0.0.1",
		"--wsrep-node-incoming-address="+localAddress(ports[0]),
		"--wsrep-sst-method=rsync",
		"--wsrep-sst-receive-address="+localAddress(ports[3]),
		fmt.Sprintf("--wsrep-provider-options=gcache.size=64M;gmcast.listen_addr=tcp://%s;ist.recv_addr=%s", localAddress(ports[1]), localAddress(ports[2])),
	)
}

// ownedByNobody gives the folder to the user of the nodes.
func ownedByNobody(dir string) error {
	if os.Geteuid() != 0 {
		return nil
	}
	if out, err := exec.CommandContext(context.Background(), "chown", "-R", nobody, dir).CombinedOutput(); err != nil {
		return fmt.Errorf("chown: %w\n%s", err, out)
	}
	return nil
}

// synced fails unless the node takes part in the cluster and is up to date.
func synced(ctx context.Context, serverURL string) error {
	db, err := OpenMySQL(serverURL)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	var name, state string
	if err := db.QueryRowContext(ctx, "SHOW STATUS LIKE 'wsrep_local_state_comment'").Scan(&name, &state); err != nil {
		return err
	}
	if state != "Synced" {
		return fmt.Errorf("the node is %s", state)
	}
	return nil
}

// Stop kills all nodes and removes all files that they wrote.
func (g *Galera) Stop() error {
	var failures []error
	for _, n := range g.Nodes {
		_ = n.Signal(syscall.SIGCONT)
		failures = append(failures, n.Stop())
	}
	return errors.Join(append(failures, os.RemoveAll(g.dir))...)
}

// Signal sends the server a signal: SIGSTOP lets it hang, SIGCONT lets it go on.
func (s *Server) Signal(signal syscall.Signal) error {
	if s.process == nil {
		return nil
	}
	return s.process.Signal(signal)
}

// End asks the process to end, as a service manager does, and returns when it is gone. Start starts it again.
func (s *Server) End() error {
	if err := s.Signal(syscall.SIGTERM); err != nil {
		return err
	}
	<-s.exited
	return nil
}

// Await returns when the server answers again, after a time in which it hung.
func (s *Server) Await(ctx context.Context) error { return s.await(ctx) }
