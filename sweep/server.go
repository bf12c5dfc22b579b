package sweep

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
)

// A Server says where NATS is, and what lets us in.
type Server struct {
	URL       string // or several, with commas between them; a user and a password may stand in them
	Creds     string // a file of credentials, as the tools of NATS make them
	CA        string // a file of certificates that the server's is checked with
	Cert, Key string // files of our own certificate
	Replicas  int    // copies that a cluster keeps of everything; 0: three in a cluster, one elsewhere
}

// Connect opens the store on a server. What is missing there is made.
func Connect(ctx context.Context, at Server) (*Store, error) {
	o := []nats.Option{
		nats.Name("quotient"), nats.MaxReconnects(-1), nats.ReconnectWait(500 * time.Millisecond),
		nats.Timeout(10 * time.Second), nats.PingInterval(10 * time.Second),
	}
	if at.Creds != "" {
		o = append(o, nats.UserCredentials(at.Creds))
	}
	if at.CA != "" {
		o = append(o, nats.RootCAs(at.CA))
	}
	if at.Cert != "" || at.Key != "" {
		o = append(o, nats.ClientCert(at.Cert, at.Key))
	}
	nc, err := nats.Connect(at.URL, o...)
	if err != nil {
		return nil, at.hide(fmt.Errorf("no connection to %s: %w", at, err))
	}
	replicas := at.Replicas
	if replicas == 0 {
		if replicas = 1; nc.ConnectedClusterName() != "" {
			replicas = 3
		}
	}
	s, err := open(ctx, nc, replicas)
	if err != nil {
		nc.Close()
		return nil, at.hide(fmt.Errorf("%s: %w", at, err))
	}
	return s, nil
}

// String returns the address without what is secret.
func (at Server) String() string { return at.redact(at.URL) }

// userinfo is what stands before a host: a user and a password, or a token.
var userinfo = regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://|^|,)\s*([^\s/,]*)@`)

// redact replaces all users, passwords and tokens of the address in a text.
func (at Server) redact(text string) string {
	text = userinfo.ReplaceAllString(text, "${1}***@")
	for _, m := range userinfo.FindAllStringSubmatch(at.URL, -1) {
		secrets := append(strings.Split(m[2], ":"), m[2])
		for _, s := range secrets {
			if plain, err := url.PathUnescape(s); err == nil {
				secrets = append(secrets, plain)
			}
		}
		for _, s := range secrets {
			if s != "" {
				text = strings.ReplaceAll(text, s, "***")
			}
		}
	}
	return text
}

// hide returns an error without secrets in its text.
func (at Server) hide(err error) error {
	if text := err.Error(); at.redact(text) != text {
		return errors.New(at.redact(text))
	}
	return err
}

// Embedded opens the store in a folder, with a server inside this program that no
// other one can reach. Only one program at a time can have a folder open.
//
// What was written survives a kill of the program at any moment. If the machine loses
// power, the last two minutes of it may be lost; the tasks are then done again.
func Embedded(ctx context.Context, folder string) (*Store, error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock(folder)
	if err != nil {
		return nil, err
	}
	ns, err := server.NewServer(&server.Options{
		ServerName: "quotient", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: filepath.Join(folder, "store"),
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 1 << 50, // the disk is the limit
	})
	if err != nil {
		unlock()
		return nil, err
	}
	stop := func() {
		ns.Shutdown()
		ns.WaitForShutdown()
		unlock()
	}
	ns.Start()
	if !ns.ReadyForConnections(30 * time.Second) {
		stop()
		return nil, fmt.Errorf("%s: the server inside the program does not start; is it a store of another program?", folder)
	}
	nc, err := nats.Connect("", nats.InProcessServer(ns), nats.MaxReconnects(-1))
	if err != nil {
		stop()
		return nil, err
	}
	s, err := open(ctx, nc, 1)
	if err != nil {
		nc.Close()
		stop()
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	s.stop = stop
	return s, nil
}
