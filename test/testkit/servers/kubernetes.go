package servers

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
)

// Kubernetes is a cluster without machines. Its etcd, API server, controllers and scheduler are those of a real one. In the place of
// kubelets it has kwok, which takes each pod that is scheduled for running, and each pod of a job for done.
type Kubernetes struct {
	Config string // path of the kubeconfig of its administrator

	dir   string
	parts []*Server
}

// KubernetesPrograms are what a cluster is started from, as paths.
type KubernetesPrograms struct {
	Folder string // with etcd, kube-apiserver, kube-controller-manager, kube-scheduler and kubectl
	Kwok   string
	Stages string // kwok's folder of stages: what becomes of machines and pods
}

// StartKubernetes starts a cluster on free ports of 127.0.0.1.
func StartKubernetes(ctx context.Context, programs KubernetesPrograms, options Options) (*Kubernetes, error) {
	dir, err := os.MkdirTemp(options.Dir, "kubernetes-")
	if err != nil {
		return nil, err
	}
	k := &Kubernetes{Config: filepath.Join(dir, "kubeconfig"), dir: dir}
	if err := k.start(ctx, programs); err != nil {
		return nil, errors.Join(err, k.Stop())
	}
	return k, nil
}

func (k *Kubernetes) start(ctx context.Context, programs KubernetesPrograms) error {
	etcd, err := k.part(ctx, "etcd", func(s *Server, port int) {
		s.URL = "http://" + localAddress(port)
		peer := "http://" + localAddress(port+1)
		s.command = []string{
			filepath.Join(programs.Folder, "etcd"), "--data-dir", filepath.Join(s.dir, "data"), "--listen-client-urls", s.URL, "--advertise-client-urls", s.URL,
			"--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer, "--initial-cluster", "default=" + peer, "--unsafe-no-fsync",
		}
		s.ready = func(ctx context.Context) error { return healthy(ctx, s.URL+"/health") }
	})
	if err != nil {
		return err
	}
	key, token := filepath.Join(k.dir, "accounts.pem"), rand.Text()
	if err := errors.Join(makeKey(key), os.WriteFile(filepath.Join(k.dir, "tokens.csv"), []byte(token+`,admin,admin,"system:masters"`+"\n"), 0o600)); err != nil {
		return err
	}
	certificates := filepath.Join(k.dir, "certificates")
	api, err := k.part(ctx, "kube-apiserver", func(s *Server, port int) {
		s.URL = "https://" + localAddress(port)
		s.command = []string{
			filepath.Join(programs.Folder, "kube-apiserver"), "--etcd-servers", etcd.URL, "--bind-address=127.0.0.1", "--advertise-address=127.0.0.1",
			fmt.Sprintf("--secure-port=%d", port), "--cert-dir", certificates, "--endpoint-reconciler-type=none", "--service-cluster-ip-range=10.96.0.0/16",
			"--service-account-issuer=https://kubernetes.default.svc", "--service-account-key-file", key, "--service-account-signing-key-file", key,
			"--authorization-mode=RBAC", "--token-auth-file", filepath.Join(k.dir, "tokens.csv"),
		}
		s.ready = func(ctx context.Context) error { return healthy(ctx, s.URL+"/readyz") }
	})
	if err != nil {
		return err
	}
	config := strings.NewReplacer("SERVER", api.URL, "TOKEN", token).Replace(kubeconfig)
	if err := os.WriteFile(k.Config, []byte(config), 0o600); err != nil {
		return err
	}
	for name, arguments := range map[string][]string{
		"kube-controller-manager": {"--service-account-private-key-file", key, "--root-ca-file", filepath.Join(certificates, "apiserver.crt")},
		"kube-scheduler":          nil,
	} {
		_, err := k.part(ctx, name, func(s *Server, port int) {
			s.command = append([]string{
				filepath.Join(programs.Folder, name), "--kubeconfig", k.Config, "--authentication-kubeconfig", k.Config, "--authorization-kubeconfig", k.Config,
				"--leader-elect=false", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
			}, arguments...)
			s.ready = func(ctx context.Context) error { return healthy(ctx, "https://"+localAddress(port)+"/healthz") }
		})
		if err != nil {
			return err
		}
	}
	var stages []string
	for _, pattern := range []string{"node/fast/node-*.yaml", "node/heartbeat/node-*.yaml", "pod/fast/pod-*.yaml"} {
		found, err := filepath.Glob(filepath.Join(programs.Stages, pattern))
		if err != nil || len(found) == 0 {
			return fmt.Errorf("there are no stages %s in %s: %w", pattern, programs.Stages, err)
		}
		for _, path := range found {
			stages = append(stages, "--config", path)
		}
	}
	_, err = k.part(ctx, "kwok", func(s *Server, port int) {
		s.command = append([]string{programs.Kwok, "--kubeconfig", k.Config, "--manage-all-nodes=true", "--server-address", localAddress(port)}, stages...)
		s.ready = func(ctx context.Context) error { return healthy(ctx, "http://"+localAddress(port)+"/healthz") }
	})
	return err
}

// part starts one of the cluster's programs.
func (k *Kubernetes) part(ctx context.Context, name string, configure func(s *Server, port int)) (*Server, error) {
	s := &Server{dir: filepath.Join(k.dir, name)}
	if err := os.Mkdir(s.dir, 0o700); err != nil {
		return nil, err
	}
	k.parts = append(k.parts, s)
	return s, s.startOnFreePort(ctx, func(port int) { configure(s, port) })
}

// Stop ends the cluster, and removes all that it wrote.
func (k *Kubernetes) Stop() error {
	var errs []error
	for i := len(k.parts) - 1; i >= 0; i-- {
		errs = append(errs, k.parts[i].Stop())
	}
	return errors.Join(append(errs, os.RemoveAll(k.dir))...)
}

// Logs returns the end of what each part has said.
func (k *Kubernetes) Logs() string {
	var all strings.Builder
	for _, s := range k.parts {
		fmt.Fprintf(&all, "== %s\n%s\n", filepath.Base(s.dir), s.logTail())
	}
	return all.String()
}

// kubeconfig trusts whoever answers: the server has made its certificate itself, on this machine.
const kubeconfig = `apiVersion: v1
kind: Config
clusters: [{name: test, cluster: {server: "SERVER", insecure-skip-tls-verify: true}}]
users: [{name: admin, user: {token: TOKEN}}]
contexts: [{name: test, context: {cluster: test, user: admin}}]
current-context: test
`

// makeKey writes a private key with which the cluster signs the tokens of service accounts.
func makeKey(path string) error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	return os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)}), 0o600)
}

// healthy asks a part of the cluster how it is.
func healthy(ctx context.Context, url string) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url, http.NoBody)
	if err != nil {
		return err
	}
	client := &http.Client{Transport: &http.Transport{
		DisableKeepAlives: true, TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // it is its own certificate, on this machine
	}}
	got, err := client.Do(r)
	if err != nil {
		return err
	}
	defer got.Body.Close()
	if got.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", url, got.Status)
	}
	return nil
}
