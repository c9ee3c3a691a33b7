//go:build chart

package purr_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

var golden = flag.Bool("golden", false, "write deploy/chart/golden anew")

// TestChartRenders lints and renders the chart with each file of ci/, holds what comes out against the schemas of the Kubernetes API, and
// compares it with the golden files. "make chart" names the tools in the environment.
func TestChartRenders(t *testing.T) {
	tool := func(name string, arguments ...string) []byte {
		t.Helper()
		c := exec.CommandContext(t.Context(), os.Getenv(name), arguments...)
		c.Stderr = os.Stderr
		out, err := c.Output()
		if err != nil {
			t.Errorf("%s %v: %v\n%s", name, arguments, err, out)
		}
		return out
	}
	for name := range ciFiles(t) {
		values := filepath.Join(chart, "ci", name+"-values.yaml")
		tool("HELM", "lint", "--strict", chart, "--values", values)
		out := tool("HELM", "template", "r", chart, "--namespace", "purr", "--kube-version", os.Getenv("KUBERNETES_VERSION"), "--values", values)
		made := filepath.Join(t.TempDir(), name+".yaml")
		if err := os.WriteFile(made, out, 0o600); err != nil {
			t.Fatal(err)
		}
		tool("KUBECONFORM", "-strict", "-schema-location", filepath.Join(os.Getenv("SCHEMAS"), "{{.ResourceKind}}{{.KindSuffix}}.json"), made)
		kept := filepath.Join("deploy", "chart", "golden", name+".yaml")
		if *golden {
			if err := os.WriteFile(kept, out, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if read(t, kept) != string(out) {
			t.Errorf("%s: what is rendered is not %s: run make chart GOLDEN=1, and look at what has changed", name, kept)
		}
	}
	if *golden && !t.Failed() {
		if err := os.WriteFile(filepath.Join("deploy", "chart", "golden", "SUM"), []byte(chartSum(t)+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
