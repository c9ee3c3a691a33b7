package servers

import (
	"cmp"
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/go-sql-driver/mysql"
)

// StartMariaDB starts an empty MariaDB server with one account that may do everything.
func StartMariaDB(ctx context.Context, options Options) (*Server, error) {
	program, err := find("mariadbd")
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp(options.Dir, "mariadb-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir}
	s.ready = func(ctx context.Context) error { return pingMySQL(ctx, s.URL) }
	account := url.UserPassword("purr", rand.Text())
	if err := prepareMariaDB(ctx, dir, account); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	err = s.startOnFreePort(ctx, func(port int) {
		s.command = append([]string{program}, mariadbArguments(dir, port, options)...)
		s.URL = serverURL("mysql", account, port)
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// prepareMariaDB makes the system tables, and the script that makes the account at every start.
func prepareMariaDB(ctx context.Context, dir string, account *url.Userinfo) error {
	program, err := find("mariadb-install-db")
	if err != nil {
		return err
	}
	// Without --force it fails where the machine's name has no address.
	arguments := append([]string{"--no-defaults", "--skip-test-db", "--force"}, mariadbFolder(dir)...)
	if out, err := exec.CommandContext(ctx, program, arguments...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	password, _ := account.Password()
	script := fmt.Sprintf("CREATE OR REPLACE USER '%[1]s'@'127.0.0.1' IDENTIFIED BY '%[2]s';\n"+
		"GRANT ALL ON *.* TO '%[1]s'@'127.0.0.1' WITH GRANT OPTION;\n", account.Username(), password)
	return os.WriteFile(initScript(dir), []byte(script), 0o600)
}

func mariadbArguments(dir string, port int, options Options) []string {
	// A crash may lose a second, or all. Tests make and drop thousands of tables, which costs half as much without a file of its
	// own and kept statistics for each.
	writing := []string{
		"--innodb-flush-log-at-trx-commit=0", "--skip-innodb-doublewrite", "--innodb-file-per-table=0", "--innodb-stats-persistent=0",
	}
	if options.Durable {
		writing = []string{"--innodb-flush-log-at-trx-commit=1"}
	}
	arguments := append([]string{"--no-defaults"}, mariadbFolder(dir)...)
	arguments = append(arguments, writing...)
	return append(arguments,
		"--socket="+filepath.Join(dir, "socket"),
		"--pid-file="+filepath.Join(dir, "pid"),
		"--tmpdir="+dir,
		"--init-file="+initScript(dir),
		"--bind-address=127.0.0.1",
		fmt.Sprintf("--port=%d", port),
		"--skip-networking=OFF",
		"--skip-name-resolve",
		fmt.Sprintf("--max-connections=%d", cmp.Or(options.MaxConnections, 2000)),
		"--max-allowed-packet=64M",
		"--character-set-server=utf8mb4",
		"--innodb-buffer-pool-size=256M",
	)
}

// mariadbFolder is what mariadb-install-db and mariadbd must both be told. MariaDB runs as root only
// when it is told to.
func mariadbFolder(dir string) []string {
	arguments := []string{"--datadir=" + filepath.Join(dir, "data")}
	if os.Geteuid() == 0 {
		arguments = append(arguments, "--user=root")
	}
	return arguments
}

func initScript(dir string) string { return filepath.Join(dir, "init.sql") }

// pingMySQL reports whether the server answers. It accepts the random password, which proves that it is the one we
// started.
func pingMySQL(ctx context.Context, serverURL string) error {
	db, err := OpenMySQL(serverURL)
	if err != nil {
		return err
	}
	return errors.Join(db.PingContext(ctx), db.Close())
}

// OpenMySQL returns a handle to the server at mysql://USER:PASSWORD@HOST:PORT/NAME, where NAME may be
// missing. It does not connect yet.
func OpenMySQL(serverURL string) (*sql.DB, error) {
	u, err := url.Parse(serverURL)
	if err != nil || u.Scheme != "mysql" || u.Hostname() == "" {
		return nil, errors.New("not of the form mysql://USER:PASSWORD@HOST:PORT") // the URL holds a password
	}
	port := u.Port()
	if port == "" {
		port = "3306"
	}
	config := mysql.NewConfig()
	config.User = u.User.Username()
	config.Passwd, _ = u.User.Password()
	config.Net = "tcp"
	config.Addr = net.JoinHostPort(u.Hostname(), port)
	config.DBName = u.Path[min(1, len(u.Path)):]
	config.InterpolateParams = true    // one round trip for each statement, not three
	config.MultiStatements = true      // one round trip for a script of them
	config.Logger = &mysql.NopLogger{} // failures are returned; the log would repeat them while a server starts
	connector, err := mysql.NewConnector(config)
	if err != nil {
		return nil, fmt.Errorf("connect to MySQL: %w", err)
	}
	return sql.OpenDB(connector), nil
}
