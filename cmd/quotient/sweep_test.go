package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/rogpeppe/go-internal/testscript"
)

// TestCluster runs the program as users of a cluster would; see testdata/cluster.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("starts a server")
	}
	const password = "s3cret-pa55"
	testscript.Run(t, testscript.Params{
		Dir: "testdata/cluster",
		Setup: func(env *testscript.Env) error {
			ns, err := server.NewServer(&server.Options{
				Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
				Username: "user", Password: password,
			})
			if err != nil {
				return err
			}
			ns.Start()
			env.Defer(func() {
				ns.Shutdown()
				ns.WaitForShutdown()
			})
			if !ns.ReadyForConnections(time.Minute) {
				return fmt.Errorf("no server")
			}
			env.Setenv("PASSWORD", password)
			env.Setenv("QUOTIENT_NATS", strings.Replace(ns.ClientURL(), "://", "://user:"+password+"@", 1))
			return nil
		},
	})
}
