//go:build kubernetes

package kubernetes_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

// container is the container of a pod.
type container struct {
	Args []string
	Env  []struct {
		Name, Value string
		ValueFrom   *struct{ SecretKeyRef struct{ Name, Key string } }
	}
	EnvFrom                                     []struct{ ConfigMapRef, SecretRef *struct{ Name string } }
	StartupProbe, LivenessProbe, ReadinessProbe *struct{ HTTPGet struct{ Path string } }
}

// TestK5bEachPodsProgramRunsAsItsPodSays starts purr with the arguments and the environment that the API server has of each pod, beside a
// real database, Redis and S3: the migration ends, and the parts answer their probes. What a pod has from its machine is this machine's: the
// folders, and an address of loopback.
func TestK5bEachPodsProgramRunsAsItsPodSays(t *testing.T) {
	c := openCluster(t)
	purr := filepath.Join(t.TempDir(), "purr")
	c.run(nil, "go", "build", "-trimpath", "-o", purr, "../../cmd/purr")
	s3 := testkit.S3(t)
	const namespace = "running"
	c.namespace(namespace, "testdata/namespace.yaml")
	for name, pairs := range map[string][]string{
		"purr-database": {"database-url=" + testkit.MySQL(t)}, "purr-redis": {"redis-url=" + testkit.Redis(t)},
		"purr-s3": {"access-key-id=" + servers.S3Key, "secret-access-key=" + servers.S3Secret},
	} {
		c.kubectl(namespace, "delete", "secret", name)
		args := []string{"create", "secret", "generic", name}
		for _, p := range pairs {
			args = append(args, "--from-literal="+p)
		}
		c.kubectl(namespace, args...)
	}
	c.helm(namespace, "install", "purr", chart, "--wait", "--timeout", "3m", "--set", "database.existingSecret=purr-database", "--set", "redis.existingSecret=purr-redis",
		"--set", "storage.s3.enabled=true", "--set", "storage.s3.existingSecret=purr-s3", "--set", "storage.s3.url="+s3.URL("purr/prod"))
	parts := map[string]container{}
	for _, p := range c.running(namespace) {
		parts[p.component()] = p.Spec.Containers[0]
	}
	migrate := c.command(t.Context(), namespace, purr, parts["migrate"])
	if said, err := migrate.CombinedOutput(); err != nil {
		t.Fatalf("the migration: %v\n%s", err, said)
	}
	for _, part := range []string{"api", "worker", "scheduler"} {
		c.answers(namespace, purr, parts[part])
	}
}

// command returns what runs a container's program.
func (c cluster) command(ctx context.Context, namespace, program string, of container) *exec.Cmd {
	c.Helper()
	cmd := exec.CommandContext(ctx, program, of.Args...)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	for _, from := range of.EnvFrom {
		switch {
		case from.ConfigMapRef != nil:
			for name, value := range c.data(namespace, "configmap/"+from.ConfigMapRef.Name) {
				cmd.Env = append(cmd.Env, name+"="+value)
			}
		case from.SecretRef != nil:
			for name, value := range c.data(namespace, "secret/"+from.SecretRef.Name) {
				cmd.Env = append(cmd.Env, name+"="+decoded(c, value))
			}
		}
	}
	for _, e := range of.Env {
		value := e.Value
		if e.ValueFrom != nil {
			value = decoded(c, c.data(namespace, "secret/"+e.ValueFrom.SecretKeyRef.Name)[e.ValueFrom.SecretKeyRef.Key])
		}
		cmd.Env = append(cmd.Env, e.Name+"="+value)
	}
	cmd.Env = append(cmd.Env, "PURR_DATA="+c.TempDir(), "TMPDIR="+c.TempDir())
	cmd.SysProcAttr = servers.DieWithParent()
	return cmd
}

// data returns what a ConfigMap or a secret holds.
func (c cluster) data(namespace, object string) map[string]string {
	c.Helper()
	var found struct{ Data map[string]string }
	c.get(namespace, object, &found)
	return found.Data
}

func decoded(t testing.TB, text string) string {
	t.Helper()
	content, err := base64.StdEncoding.DecodeString(text)
	testkit.Must(t, err)
	return string(content)
}

// answers runs a part until it answers each of its probes.
func (c cluster) answers(namespace, program string, of container) {
	c.Helper()
	ctx, stop := context.WithTimeout(c.Context(), 2*time.Minute)
	defer stop()
	var config net.ListenConfig
	free, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	testkit.Must(c, err)
	port := free.Addr().(*net.TCPAddr).Port
	testkit.Must(c, free.Close())
	cmd := c.command(ctx, namespace, program, of)
	if !slices.Contains(cmd.Env, "PURR_LISTEN=0.0.0.0:8080") {
		c.Errorf("%s does not listen where its probes ask: %q", of.Args, cmd.Env)
	}
	cmd.Env = append(cmd.Env, "PURR_LISTEN=127.0.0.1:"+strconv.Itoa(port))
	log, err := os.Create(filepath.Join(c.TempDir(), "log"))
	testkit.Must(c, err)
	defer func() { _ = log.Close() }()
	cmd.Stdout, cmd.Stderr = log, log
	testkit.Must(c, cmd.Start())
	for _, probe := range []string{of.StartupProbe.HTTPGet.Path, of.LivenessProbe.HTTPGet.Path, of.ReadinessProbe.HTTPGet.Path} {
		if err := asked(ctx, fmt.Sprintf("http://127.0.0.1:%d%s", port, probe)); err != nil {
			said, _ := os.ReadFile(log.Name())
			c.Errorf("%s: %v\n%s", strings.Join(of.Args, " "), err, said)
		}
	}
	testkit.Must(c, cmd.Process.Signal(os.Interrupt))
	if err := cmd.Wait(); err != nil {
		c.Errorf("%s ends with %v", strings.Join(of.Args, " "), err)
	}
}

// asked asks until there is the answer 200.
func asked(ctx context.Context, url string) error {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
		if err != nil {
			return err
		}
		got, err := http.DefaultClient.Do(r)
		if err == nil {
			if err = got.Body.Close(); got.StatusCode == http.StatusOK {
				return err
			}
			err = errors.Join(fmt.Errorf("%s answers %s", url, got.Status), err)
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}
