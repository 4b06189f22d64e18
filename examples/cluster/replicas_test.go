package cluster

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/rouse-go/rouse/tools/cli"
)

// With three replicas one of three servers may go away for good, even the one that the streams are led by.
func TestReplicas(t *testing.T) {
	t.Parallel()
	dir, digest := plant(t)
	var servers []*server.Server
	var urls []string
	routes := []*url.URL{{Scheme: "nats", Host: "127.0.0.1:1"}} // The first server needs one, to be of a cluster.
	for i := range 3 {
		s, err := server.NewServer(&server.Options{
			ServerName: fmt.Sprint("s", i), Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true,
			Cluster: server.ClusterOpts{Name: "c", Host: "127.0.0.1", Port: server.RANDOM_PORT}, Routes: slices.Clone(routes),
		})
		if err != nil {
			t.Fatal(err)
		}
		s.Start()
		defer s.WaitForShutdown()
		defer s.Shutdown()
		for s.ClusterAddr() == nil {
			time.Sleep(5 * time.Millisecond)
		}
		servers, routes = append(servers, s), append(routes, &url.URL{Scheme: "nats", Host: s.ClusterAddr().String()})
	}
	for _, s := range servers {
		if !s.ReadyForConnections(time.Minute) {
			t.Fatal("a server does not start")
		}
		urls = append(urls, s.ClientURL())
	}
	for !slices.ContainsFunc(servers, func(s *server.Server) bool { return len(s.JetStreamClusterPeers()) == 3 }) {
		time.Sleep(5 * time.Millisecond)
	}
	held := holdAt(t, "counted")
	p := begin(t, held.env, dir, "--workers", "2", "--nats", strings.Join(urls, ","), "--run", "x", "--replicas", "3")
	held.await(t, 2, "counted.*")
	leader := slices.IndexFunc(servers, func(s *server.Server) bool { return s.JetStreamIsStreamLeader("$G", totalsOf("x")) })
	servers[leader].Shutdown()
	held.open(t, "counted")
	p.end(t).check(t, cli.StatusOK, &p.stdout, digest)
}
