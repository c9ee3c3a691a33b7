//go:build kubernetes

// Package kubernetes_test installs the Helm chart on a real API server, with etcd, controllers and scheduler, and runs the programs of its pods,
// as "make test-chart" asks (rules K5, K5b).
package kubernetes_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"purr/test/testkit"
	"purr/test/testkit/servers"
)

const chart = "../../deploy/chart/purr"

// cluster is a cluster with what an operator has there before purr.
type cluster struct {
	testing.TB
	kubernetes *servers.Kubernetes
}

// programs are what make test-chart has got.
var programs = servers.KubernetesPrograms{Folder: os.Getenv("PURR_TEST_KUBERNETES"), Kwok: os.Getenv("PURR_TEST_KWOK"), Stages: os.Getenv("PURR_TEST_KWOK_STAGES")}

func openCluster(t *testing.T) cluster {
	t.Helper()
	if programs.Folder == "" || programs.Kwok == "" || programs.Stages == "" || os.Getenv("HELM") == "" {
		t.Fatal("the programs of a cluster are not here: run make test-chart")
	}
	k, err := servers.StartKubernetes(t.Context(), programs, servers.Options{})
	testkit.Must(t, err)
	c := cluster{t, k}
	t.Cleanup(func() {
		if t.Failed() {
			t.Log(k.Logs())
		}
		if err := k.Stop(); err != nil {
			t.Errorf("stop the cluster: %v", err)
		}
	})
	c.apply("", "testdata/cluster.yaml")
	c.kubectl("", "wait", "--for=condition=Ready", "nodes", "--all", "--timeout=60s")
	c.kubectl("", "apply", "--server-side", "-f", definition(t))
	c.kubectl("", "wait", "--for=condition=Established", "crd", "--all", "--timeout=60s")
	return c
}

// definition returns the path of the definition of ServiceMonitors.
func definition(t *testing.T) string {
	t.Helper()
	path := os.Getenv("PURR_TEST_SERVICEMONITORS")
	if path == "" {
		t.Fatal("the definition of ServiceMonitors is not here: run make test-chart")
	}
	return path
}

// namespace makes a namespace that takes restricted pods alone, with the objects of a file.
func (c cluster) namespace(name, objects string) {
	c.Helper()
	c.kubectl("", "create", "namespace", name)
	c.kubectl("", "label", "namespace", name, "pod-security.kubernetes.io/enforce=restricted", "pod-security.kubernetes.io/enforce-version=latest")
	c.apply(name, objects)
}

// apply applies a file, in which NAMESPACE stands for the namespace.
func (c cluster) apply(namespace, path string) {
	c.Helper()
	text, err := os.ReadFile(path)
	testkit.Must(c, err)
	c.run(bytes.ReplaceAll(text, []byte("NAMESPACE"), []byte(namespace)), filepath.Join(programs.Folder, "kubectl"), c.in(namespace, "apply", "-f", "-")...)
}

// kubectl runs a command of kubectl, which must succeed.
func (c cluster) kubectl(namespace string, args ...string) string {
	c.Helper()
	return c.run(nil, filepath.Join(programs.Folder, "kubectl"), c.in(namespace, args...)...)
}

// helm runs a command of helm, which must succeed.
func (c cluster) helm(namespace string, args ...string) string {
	c.Helper()
	return c.run(nil, os.Getenv("HELM"), c.in(namespace, args...)...)
}

func (c cluster) in(namespace string, args ...string) []string {
	if namespace != "" {
		args = append(args, "--namespace", namespace)
	}
	return append(args, "--kubeconfig", c.kubernetes.Config)
}

// get returns objects as the API server shows them.
func (c cluster) get(namespace, kind string, into any, more ...string) {
	c.Helper()
	testkit.Must(c, json.Unmarshal([]byte(c.kubectl(namespace, append([]string{"get", kind, "-o", "json"}, more...)...)), into))
}

func (c cluster) run(input []byte, program string, args ...string) string {
	c.Helper()
	ctx, cancel := context.WithTimeout(c.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin = bytes.NewReader(input)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	if err != nil {
		c.Fatalf("%s %s: %v\n%s%s", filepath.Base(program), strings.Join(args, " "), err, said.String(), out)
	}
	return string(out)
}
