package queue

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"quotient/internal/secret"
)

func TestRedact(t *testing.T) {
	for _, c := range []struct{ url, text, want string }{
		{"nats://host:4222", "nats://host:4222", "nats://host:4222"},
		{"nats://u5er:pa55@host", "nats://u5er:pa55@host", "nats://***@host"},
		{"nats://t0ken@host", "it is t0ken", "it is ***"},
		{"u5er:pa55@host", "u5er:pa55@host", "***@host"},
		{"nats://a1a:b2b@x,nats://c3c:d4d@y", "b2b, d4d; nats://a1a:b2b@x", "***, ***; nats://***@x"},
		{"nats://a1a:b,2@x", "nats://a1a:b,2@x: b,2", "nats://***@x: ***"},
		{"nats://u5er:p%40ss%2F@host", `parse "nats://u5er:p@ss/@host": p@ss/, p%40ss%2F`, `parse "nats://***@host": ***, ***`},
		{"", "another nats://u5er:pa55@host", "another nats://***@host"},
	} {
		got := secret.Redact(c.url, c.text)
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.url, got, c.want)
		}
	}
}

// guarded starts a server that wants a password.
func guarded(t testing.TB) (port int) {
	t.Helper()
	ns, err := server.NewServer(&server.Options{
		Host: "127.0.0.1", Port: -1, NoSigs: true, NoLog: true, JetStream: true, StoreDir: t.TempDir(),
		Username: "u5er", Password: "r1ght-pa55",
	})
	if err != nil {
		t.Fatal(err)
	}
	ns.Start()
	t.Cleanup(func() {
		ns.Shutdown()
		ns.WaitForShutdown()
	})
	if !ns.ReadyForConnections(30 * time.Second) {
		t.Fatal("no server")
	}
	var p int
	if _, err := fmt.Sscanf(strings.TrimPrefix(ns.ClientURL(), "nats://127.0.0.1:"), "%d", &p); err != nil {
		t.Fatal(err)
	}
	return p
}

// No error, whatever goes wrong, shows what lets us in; nor do results, signs of life
// and statuses.
func TestCredentialsStaySecret(t *testing.T) {
	port := guarded(t)
	creds := filepath.Join(t.TempDir(), "bad.creds")
	if err := os.WriteFile(creds, []byte("-----BEGIN NATS USER JWT-----\ns3cret-jwt\n------END NATS USER JWT------\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	secrets := []string{"wr0ng-pa55", "r1ght-pa55", "u5er", "s3cret-jwt", "t0ken-pa55"}
	check := func(what, text string) {
		t.Helper()
		for _, s := range secrets {
			if strings.Contains(text, s) {
				t.Errorf("%s shows %s: %s", what, s, text)
			}
		}
	}
	for _, at := range []Server{
		{URL: fmt.Sprintf("nats://u5er:wr0ng-pa55@127.0.0.1:%d", port)},
		{URL: fmt.Sprintf("u5er:wr0ng-pa55@127.0.0.1:%d", port)},
		{URL: fmt.Sprintf("nats://t0ken-pa55@127.0.0.1:%d", port)},
		{URL: "nats://u5er:wr0ng-pa55@127.0.0.1:port"},
		{URL: "nats://u5er:wr0ng-pa55@127.0.0.1:1"},
		{URL: "nats://u5er:wr0ng-pa55%zz@127.0.0.1:1"},
		{URL: "nats://u5er:wr0ng-pa55/r1ght-pa55@127.0.0.1:1"},
		{URL: "nats://u5er:wr0ng-pa55,r1ght-pa55@127.0.0.1:1"},
		{URL: "nats://u5er:wr0ng-pa55#r1ght-pa55@127.0.0.1:1"},
		{URL: "nats://u5er:wr0ng-pa55?r1ght-pa55@127.0.0.1:1"},
		{URL: "://u5er:wr0ng-pa55@"},
		{URL: fmt.Sprintf("tls://u5er:r1ght-pa55@127.0.0.1:%d", port)},
		{URL: fmt.Sprintf("nats://127.0.0.1:%d", port), Creds: creds},
		{URL: fmt.Sprintf("nats://u5er:r1ght-pa55@127.0.0.1:%d", port), Replicas: 3},
		{URL: fmt.Sprintf("nats://u5er:r1ght-pa55@127.0.0.1:%d", port), CA: "nowhere.pem"},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		s, err := Connect(ctx, at)
		cancel()
		if err == nil {
			s.Close()
			t.Errorf("%s: no error", at)
			continue
		}
		check("an error", err.Error())
		check("an address", at.String())
	}

	at := Server{URL: fmt.Sprintf("nats://u5er:r1ght-pa55@127.0.0.1:%d", port)}
	at.Log = func(message string) { check("the log", message) }
	s, err := Connect(t.Context(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	file := read(t, fmt.Sprintf(tiny, "[1]"))
	status := runHere(t, s, file, Options{}, &Worker{Slots: 2})
	check("a status", string(encode(status)))
	for _, r := range comparable(t, s, file) {
		check("a result", r)
	}
	for key := range comparable(t, s, file) {
		r, err := s.result(t.Context(), key)
		if err != nil {
			t.Fatal(err)
		}
		check("a cost", string(encode(r.Cost)))
	}
	present, err := s.Workers(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	check("a sign of life", string(encode(present)))
}
