//go:build kubernetes

package kubernetes_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"purr/test/testkit"
)

// pods are pods as the API server shows them.
type pods struct{ Items []pod }

type pod struct {
	Metadata struct {
		Name   string
		Labels map[string]string
	}
	Spec   struct{ Containers []container }
	Status struct {
		Phase      string
		Conditions []struct{ Type, Status string }
	}
}

// isReady reports whether a pod runs and is ready.
func (p pod) isReady() bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c struct{ Type, Status string }) bool { return c.Type == "Ready" && c.Status == "True" })
}

func (p pod) component() string { return p.Metadata.Labels["app.kubernetes.io/component"] }

// wanted are the pods of each file of values, by component: those that are ready, and of the migration those that are done.
var wanted = map[string]map[string]int{
	"everything": {"api": 3, "worker": 4, "scheduler": 2, "migrate": 1},
	"s3-role":    {"api": 2, "worker": 2, "scheduler": 2, "migrate": 1},
	"s3":         {"api": 2, "worker": 2, "scheduler": 2, "migrate": 1},
	"small":      {"api": 1, "worker": 1, "scheduler": 1},
	"volume":     {"api": 2, "worker": 2, "scheduler": 2, "migrate": 1},
}

// TestK5bTheChartOnAnAPIServer installs the chart with each file of values where pods must be restricted, and upgrades it with another
// setting: all of its pods become ready, the migration ran before, and only the parts are replaced. An uninstalled one leaves nothing but the
// migration's job, whose log a person may want.
func TestK5bTheChartOnAnAPIServer(t *testing.T) {
	c := openCluster(t)
	files, err := filepath.Glob(filepath.Join(chart, "ci", "*-values.yaml"))
	testkit.Must(t, err)
	if len(files) != len(wanted) {
		t.Errorf("there are %d files of values, want %d", len(files), len(wanted))
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), "-values.yaml")
		t.Run(name, func(t *testing.T) {
			c := cluster{t, c.kubernetes}
			c.namespace(name, "testdata/namespace.yaml")
			upgrade := []string{"upgrade", "--install", "purr", chart, "--values", file, "--wait", "--timeout", "3m"}
			c.helm(name, upgrade...)
			first := c.running(name)
			c.wantPods(first, wanted[name])
			c.helm(name, append(upgrade, "--set", "config.PURR_LOG_LEVEL=debug")...)
			second := c.running(name)
			c.wantPods(second, wanted[name])
			for pod := range second {
				if _, is := first[pod]; is {
					t.Errorf("%s was there before the setting changed", pod)
				}
			}
			c.wantBudgets(name, wanted[name])
			c.helm(name, "uninstall", "purr", "--wait", "--timeout", "2m")
			if left := c.kubectl(name, "get", "deployments,services,cronjobs,hpa,pdb,networkpolicies,ingresses,servicemonitors", "-o", "name"); left != "" {
				t.Errorf("uninstalled, it leaves %s", left)
			}
		})
	}
}

// running returns the pods of a release that are ready, or done, by name.
func (c cluster) running(namespace string) map[string]pod {
	c.Helper()
	var found pods
	c.get(namespace, "pods", &found)
	all := map[string]pod{}
	for _, p := range found.Items {
		if p.isReady() || p.Status.Phase == "Succeeded" {
			all[p.Metadata.Name] = p
		}
	}
	return all
}

func (c cluster) wantPods(found map[string]pod, want map[string]int) {
	c.Helper()
	got := map[string]int{}
	for _, p := range found {
		got[p.component()]++
	}
	if !maps.Equal(got, want) {
		c.Errorf("ready are %v, want %v", got, want)
	}
}

// wantBudgets holds that each part's budget of disruptions sees its pods.
func (c cluster) wantBudgets(namespace string, want map[string]int) {
	c.Helper()
	if namespace == "small" { // it has none
		return
	}
	for part, number := range want {
		if part == "migrate" {
			continue
		}
		c.kubectl(namespace, "wait", fmt.Sprintf("--for=jsonpath={.status.expectedPods}=%d", number), "--timeout=60s", "pdb/purr-"+part)
		c.kubectl(namespace, "wait", fmt.Sprintf("--for=jsonpath={.status.disruptionsAllowed}=%d", 1), "--timeout=60s", "pdb/purr-"+part)
	}
}
