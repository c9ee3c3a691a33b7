package e2e_test

import (
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"purr/test/testkit"
	"purr/test/testkit/house"
)

// composed is an installation of deploy/compose.yaml: its processes with the arguments, variables and secrets of that file, on servers of
// the test's own.
type composed struct {
	t        *testing.T
	services map[string]service
	folders  map[string]string // by where a container has them
	running  map[string]*process
}

type service struct {
	Command     []string
	Environment map[string]string
	Secrets     []string
	Volumes     []string
	Restart     string
	Ports       []string
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Deploy      struct{ Replicas int }
}

// compose reads the file, and makes the secrets with the command that it names. Their URLs are led to the test's servers.
func compose(t *testing.T, database, redis string) *composed {
	t.Helper()
	deploy := filepath.Join("..", "..", "deploy")
	text, err := os.ReadFile(filepath.Join(deploy, "compose.yaml"))
	must(t, err)
	var file struct {
		Services map[string]service
		Secrets  map[string]struct{ File string }
	}
	must(t, yaml.Unmarshal(text, &file))
	c := &composed{t: t, services: file.Services, running: map[string]*process{}, folders: map[string]string{"/data": t.TempDir(), "/backup": t.TempDir(), "/run/secrets": filepath.Join(t.TempDir(), "secrets")}}
	made := secrets(t, c.folders["/run/secrets"])
	for name, s := range file.Secrets {
		if made[name] == "" || s.File != "secrets/"+name {
			t.Errorf("the secret %s is %q, of %s", name, made[name], s.File)
		}
	}
	for name, url := range map[string]string{"database-url": database, "redis-url": redis} {
		path := filepath.Join(c.folders["/run/secrets"], name)
		must(t, os.Chmod(path, 0o600))
		must(t, os.WriteFile(path, []byte(url), 0o400))
	}
	return c
}

// secrets runs deploy/secrets.sh, and returns what is in the folder.
func secrets(t *testing.T, folder string) map[string]string {
	t.Helper()
	said, err := exec.Command(filepath.Join("..", "..", "deploy", "secrets.sh"), folder).CombinedOutput()
	if err != nil || len(said) > 0 {
		t.Fatalf("secrets.sh: %v, %s", err, said)
	}
	entries, err := os.ReadDir(folder)
	must(t, err)
	all := map[string]string{}
	for _, e := range entries {
		content, err := os.ReadFile(filepath.Join(folder, e.Name()))
		must(t, err)
		all[e.Name()] = string(content)
	}
	return all
}

// here puts the test's folders in the place of a container's.
func (c *composed) here(text string) string {
	for inside, outside := range c.folders {
		if rest, is := strings.CutPrefix(text, inside+"/"); is {
			return outside + "/" + rest
		}
	}
	return text
}

// environment returns the variables of a service, those of the image among them.
func (c *composed) environment(name string) []string {
	all := []string{"PURR_DATA=" + c.folders["/data"], "PURR_LISTEN=127.0.0.1:0", "PURR_LOG_FORMAT=json"}
	for variable, value := range c.services[name].Environment {
		if m := regexp.MustCompile(`^\$\{PURR_\w+:-(.*)\}$`).FindStringSubmatch(value); m != nil {
			value = m[1] // what is set where nobody says anything
		}
		if variable != "PURR_BASE_URL" { // each process has a port of its own
			all = append(all, variable+"="+c.here(value))
		}
	}
	return all
}

func (c *composed) arguments(name string) (words []string) {
	for _, word := range c.services[name].Command {
		words = append(words, c.here(word))
	}
	return words
}

func (c *composed) start(name string) *process {
	c.t.Helper()
	service, _, _ := strings.Cut(name, "/")
	p := begin(c.t, c.environment(service), c.arguments(service)...)
	c.running[name] = p
	return p
}

// healthy waits until purr health, the health check of the file, says so of each part.
func (c *composed) healthy() {
	c.t.Helper()
	for name, p := range c.running {
		address := p.listening()
		eventually(c.t, name+" is healthy", func() (bool, any) {
			r := run(c.t, nil, "health", address)
			return r.code == 0, r
		})
	}
}

// up starts what the file starts, in its order.
func (c *composed) up() {
	c.t.Helper()
	ok(c.t, c.environment("migrate"), c.arguments("migrate")...)
	for name, s := range c.services {
		if _, after := s.DependsOn["migrate"]; !after || s.Restart == "no" {
			continue
		}
		for n := range max(1, s.Deploy.Replicas) {
			c.start(fmt.Sprintf("%s/%d", name, n))
		}
	}
	c.healthy()
}

// down ends all, as docker compose does.
func (c *composed) down() {
	c.t.Helper()
	for name, p := range c.running {
		equal(c.t, "exit code of "+name, p.terminate(), 0)
	}
	clear(c.running)
}

var aKey = regexp.MustCompile(`purr_[A-Z2-7]{20,}`)

// TestQ4ComposeComesUp runs what deploy/compose.yaml runs: it comes up with a creditor and the address of the first sign-in, each part
// that is killed comes back and goes on, down and up changes nothing, and the backup is one.
func TestQ4ComposeComesUp(t *testing.T) {
	t.Parallel()
	redis := testkit.RedisServer(t)
	c := compose(t, testkit.MySQL(t), redis.URL)
	c.up()
	equal(t, "parts", len(c.running), 4)
	api := c.running["api/0"]
	said := api.stderr.String()
	if !strings.Contains(said, "/sign-in") {
		t.Errorf("the first sign-in is not told: %s", said)
	}
	key := aKey.FindString(said)
	if kept, err := os.ReadFile(filepath.Join(c.folders["/data"], "first-key")); err == nil {
		key = strings.TrimSpace(string(kept))
	}
	if key == "" {
		t.Fatalf("there is no first key: %s", said)
	}
	client := newClient(t, func() string { return c.running["api/0"].listening() }, key)
	customer := client.customer(t, "Kari Nordmann")

	for _, name := range []string{"api/0", "worker/0", "worker/1", "scheduler/0"} {
		c.running[name].kill()
		c.start(name)
	}
	redis.Kill()
	redis.Start()
	c.healthy()
	shown := func() string { return client.Get(house.PathOf(customer)).Shown().At("name1") }
	equal(t, "the customer after all was killed", shown(), "Kari Nordmann")

	c.down()
	c.up()
	equal(t, "the customer after down and up", shown(), "Kari Nordmann")
	if said := c.running["api/0"].stderr.String(); aKey.MatchString(said) || strings.Contains(said, "is new") {
		t.Errorf("a second start begins anew: %s", said)
	}
	client.Get("/api/v1/creditor").Is(http.StatusOK)

	ok(t, c.environment("backup"), c.arguments("backup")...)
	ok(t, nil, "backup", "check", filepath.Join(c.folders["/backup"], "purr"))
}

// TestQ4SecretsAreMadeOnce: by one command, each a file behind a folder of its owner; run again it changes nothing, also where it was killed
// on its way.
func TestQ4SecretsAreMadeOnce(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "secrets")
	first := secrets(t, folder)
	info, err := os.Stat(folder)
	must(t, err)
	equal(t, "mode of the folder", info.Mode().Perm(), 0o700)
	database, redis := first["database-password"], first["redis-password"]
	for name, want := range map[string]string{
		"database-url": "mysql://purr:" + database + "@mariadb:3306/purr", "redis-url": "redis://:" + redis + "@redis:6379/0",
	} {
		equal(t, name, first[name], want)
	}
	if len(database) != 48 || database == redis || !strings.Contains(first["redis.conf"], "requirepass "+redis+"\n") {
		t.Errorf("the secrets are %q", first)
	}
	must(t, os.Remove(filepath.Join(folder, "database-url")))
	must(t, os.WriteFile(filepath.Join(folder, "database-url.new"), []byte("half"), 0o444))
	if again := secrets(t, folder); !slices.Equal(sortedValues(again), sortedValues(first)) {
		t.Errorf("a second run made %q of %q", again, first)
	}
}

func sortedValues(all map[string]string) (values []string) {
	for name, v := range all {
		values = append(values, name+"="+v)
	}
	slices.Sort(values)
	return values
}
