//go:build chaos

package chaos_test

import (
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"purr/test/testkit/servers"
)

// The faults of an S3 server happen to rounds whose files lie there (rule K2).
const onStorage = "s3"

// storageURL returns the setting of a round's files, by way of an address. A round has a prefix of its own in the bucket.
func (r *round) storageURL(address string) string {
	return fmt.Sprintf("s3://%s/round-%d?region=us-east-1&endpoint=%s", servers.S3Bucket, r.number, url.QueryEscape("http://"+address))
}

// storageVariables are what a process needs that keeps its files in the bucket.
func (r *round) storageVariables(address string) []string {
	return []string{
		"PURR_STORAGE_URL=" + r.storageURL(address), "AWS_ACCESS_KEY_ID=" + servers.S3Key, "AWS_SECRET_ACCESS_KEY=" + servers.S3Secret,
		"AWS_EC2_METADATA_DISABLED=true",
	}
}

// inBucket reports whether the round's files lie in the bucket, and parts share no folder.
func (r *round) inBucket() bool { return r.world.s3 != nil }

// kept returns the folder in which the round's archive, outboxes and inbox lie, and one beside it on the same disk where a file may be
// written before it comes in.
func (r *round) kept() (folder, beside string) {
	if !r.inBucket() {
		return r.data, r.data
	}
	bucket := r.world.s3.S3Folder()
	return filepath.Join(bucket, fmt.Sprintf("round-%d", r.number)), filepath.Dir(filepath.Dir(bucket))
}

// suits reports whether a kind of fault can happen to the round.
func (r *round) suits(k *faultKind) bool {
	return (r.setup.servers() || !k.servers) && (r.inBucket() || !strings.HasPrefix(k.on, onStorage))
}

func storage(p *part) *proxy { return p.storage }

func (r *round) killStorage(f fault) {
	r.world.s3.Kill()
	<-time.After(f.lasts)
	if err := r.world.s3.Start(context.Background()); err != nil {
		r.t.Errorf("the S3 server does not start again: %v", err)
	}
}

func (r *round) stopStorage(f fault) {
	_ = r.world.s3.Signal(syscall.SIGSTOP)
	<-time.After(f.lasts)
	_ = r.world.s3.Signal(syscall.SIGCONT)
}
