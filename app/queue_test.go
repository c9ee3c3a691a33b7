package app

import (
	"fmt"
	"strings"
	"testing"
)

// TestK4TheFormsOfARedisURL: every form takes a user, a password and TLS; Sentinels have credentials of their own.
func TestK4TheFormsOfARedisURL(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ url, want string }{
		{"redis://ola:hush@a:1/2", "[a:1] 2 ola:hush   false false"},
		{"rediss://:hush@a:1", "[a:1] 0 :hush   false true"},
		{"redis+sentinel://ola:hush@a:1,b:2/3?master=m", "[a:1 b:2] 3 ola:hush m : false false"},
		{"rediss+sentinel://:hush@a:1/?master=m&sentinel=kari:hysj", "[a:1] 0 :hush m kari:hysj false true"},
		{"redis+cluster://ola:h@sh@a:1,b:2", "[a:1 b:2] 0 ola:h@sh   true false"},
		{"rediss+cluster://a:1", "[a:1] 0 :   true true"},
		{"redis+cluster://a:1/2", "a Cluster has none"},
		{"redis+sentinel://a:1", "name the master"},
		{"redis+sentinel://a:1?master=m&sentinel=hysj", "USER:PASSWORD"},
		{"redis+cluster://a:1?colour=red", "unknown"},
		{"redis+cluster://a:1?ca=x.pem", "needs rediss"},
		{"rediss+cluster://a:1?ca=no-such-file.pem", "no-such-file.pem"},
		{"rediss+cluster://ola:hush@a:1,b:2?ca=/no/such/file.pem", "/no/such/file.pem"},
		{"rediss+sentinel://a:1,b:2/0?master=m&ca=/no/such/file.pem", "/no/such/file.pem"},
		{"redis://a:1?ca=x.pem", "needs rediss"},
		{"http://a:1", "must begin with redis://"},
		{"redish://a:1", "must begin with redis://"},
		{"redis", "must begin with redis://"},
	} {
		o, err := redisOptions(test.url)
		if err != nil {
			if !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "hush") {
				t.Errorf("%s: %v, want %s", test.url, err, test.want)
			}
			continue
		}
		sentinel := ""
		if o.MasterName != "" {
			sentinel = o.SentinelUsername + ":" + o.SentinelPassword
		}
		got := fmt.Sprintf("%v %d %s:%s %s %s %t %t", o.Addrs, o.DB, o.Username, o.Password, o.MasterName, sentinel, o.IsClusterMode, o.TLSConfig != nil)
		if got != test.want {
			t.Errorf("%s is read as %q, want %q", test.url, got, test.want)
		}
	}
}
