package servers

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
)

// TiDBVariable names the environment variable with the path of the program tidb-server, which is then started in MariaDB's place.
const TiDBVariable = "PURR_TEST_TIDB"

// StartTiDB starts an empty TiDB server with one account that may do everything. Its storage is in the same process (unistore): it speaks as TiDB
// does, and is not distributed.
func StartTiDB(ctx context.Context, options Options) (*Server, error) {
	dir, err := os.MkdirTemp(options.Dir, "tidb-")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, version: "-V"}
	s.ready = func(ctx context.Context) error { return pingMySQL(ctx, s.URL) }
	account := url.UserPassword("purr", rand.Text())
	if err := prepareTiDB(dir, account); err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	err = s.startOnFreePort(ctx, func(port int) {
		s.command = []string{
			os.Getenv(TiDBVariable), "-config", tidbSettings(dir), "-store", "unistore", "-path", filepath.Join(dir, "data"), "-host", "127.0.0.1",
			"-P", fmt.Sprint(port), "-socket", filepath.Join(dir, "socket"), "-initialize-sql-file", initScript(dir), "-L", "error",
		}
		s.URL = serverURL("mysql", account, port)
	})
	if err != nil {
		return nil, errors.Join(err, s.Stop())
	}
	return s, nil
}

// prepareTiDB writes the script that makes the account, and the settings: no second port, and all files in the server's own folder.
func prepareTiDB(dir string, account *url.Userinfo) error {
	password, _ := account.Password()
	script := fmt.Sprintf("CREATE USER '%[1]s'@'%%' IDENTIFIED BY '%[2]s';\nGRANT ALL ON *.* TO '%[1]s'@'%%' WITH GRANT OPTION;\n", account.Username(), password)
	settings := fmt.Sprintf("tmp-storage-path = %q\n[log]\nslow-query-file = %q\n[status]\nreport-status = false\n",
		filepath.Join(dir, "tmp"), filepath.Join(dir, "slow.log"))
	return errors.Join(os.WriteFile(initScript(dir), []byte(script), 0o600), os.WriteFile(tidbSettings(dir), []byte(settings), 0o600))
}

func tidbSettings(dir string) string { return filepath.Join(dir, "tidb.toml") }
