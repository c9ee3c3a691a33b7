package backup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"strings"
)

// mysqldump writes the database as SQL, by the program that comes with the server.
func mysqldump(ctx context.Context, databaseURL string, w io.Writer) error {
	return server(ctx, databaseURL, nil, w, dumpers,
		"--single-transaction", "--quick", "--skip-lock-tables", "--hex-blob", "--default-character-set=utf8mb4")
}

// dumpers are the programs that write a database as SQL.
var dumpers = []string{"mariadb-dump", "mysqldump"}

// loadSQL runs such SQL.
func loadSQL(ctx context.Context, databaseURL string, r io.Reader) error {
	return server(ctx, databaseURL, r, io.Discard, []string{"mariadb", "mysql"}, "--default-character-set=utf8mb4")
}

// installed returns the path of the first of the programs that is installed.
func installed(programs []string) (string, error) {
	for _, p := range programs {
		if path, err := exec.LookPath(p); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("%s is not installed", strings.Join(programs, " or "))
}

// server runs the first of the programs that is installed, on a database. The programs also read the user's option
// files, for what the URL does not say.
func server(ctx context.Context, databaseURL string, in io.Reader, out io.Writer, programs []string, args ...string) error {
	u, err := url.Parse(databaseURL)
	if err != nil {
		return errors.New("the database URL is no URL")
	}
	program, err := installed(programs)
	if err != nil {
		return err
	}
	args = append(args, "--host="+u.Hostname(), "--user="+u.User.Username(), "--protocol=TCP")
	if port := u.Port(); port != "" {
		args = append(args, "--port="+port)
	}
	password, _ := u.User.Password()
	var said bytes.Buffer
	c := exec.CommandContext(ctx, program, append(args, strings.Trim(u.Path, "/"))...)
	c.Stdin, c.Stdout, c.Stderr = in, out, &said
	c.Env = append(os.Environ(), "MYSQL_PWD="+password) // not on the command line, which everybody sees
	if err := c.Run(); err != nil {
		return fmt.Errorf("%s: %w: %s", program, err, strings.TrimSpace(said.String()))
	}
	return nil
}
