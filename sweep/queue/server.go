package queue

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"quotient/internal/lock"
	"quotient/internal/secret"
)

// A Server says where NATS is, and what lets us in.
type Server struct {
	URL       string // or several, with commas between them; a user and a password may stand in them
	Creds     string // a file of credentials, as the tools of NATS make them
	CA        string // a file of certificates that the server's is checked with
	Cert, Key string // files of our own certificate
	Replicas  int    // copies that a cluster keeps of everything; 0: three in a cluster, one elsewhere

	Log func(message string) // is told of what takes long or breaks; may be nil
}

// Connect opens the store on a server. What is missing there is made.
func Connect(ctx context.Context, at Server) (*Store, error) {
	if err := at.check(); err != nil {
		return nil, err
	}
	log := func(message string) {
		if at.Log != nil {
			at.Log(secret.Redact(at.URL, message))
		}
	}
	o := []nats.Option{
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { log(err.Error()) }),
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
		return nil, secret.Hide(at.URL, fmt.Errorf("no connection to %s: %w", at, err))
	}
	replicas := at.Replicas
	if replicas == 0 {
		if replicas = 1; nc.ConnectedClusterName() != "" {
			replicas = 3
		}
	}
	s, err := open(ctx, nc, replicas, log)
	if err != nil {
		nc.Close()
		return nil, secret.Hide(at.URL, fmt.Errorf("%s: %w", at, err))
	}
	return s, nil
}

// check reports what is wrong with the address. What the parser says of it is not shown,
// since a password with a stray character in it looks like a port or like a host.
func (at Server) check() error {
	for part := range strings.SplitSeq(at.URL, ",") {
		if !strings.Contains(part, "://") {
			part = "nats://" + part
		}
		if u, err := url.Parse(strings.TrimSpace(part)); err != nil || u.Hostname() == "" {
			return fmt.Errorf("%s is no address of a server, as nats://host:4222 is; in a password, write / as %%2F, a comma as %%2C, # as %%23, ? as %%3F, @ as %%40 and %% as %%25", at)
		}
	}
	return nil
}

// String returns the address without what is secret.
func (at Server) String() string { return secret.Redact(at.URL, at.URL) }

// sweepAway removes what a killed program left of training that was under way; its
// checkpoints are in the store.
func sweepAway(folder string) error {
	for _, pattern := range []string{runPattern, workPattern} {
		left, err := filepath.Glob(filepath.Join(folder, pattern))
		for _, name := range left {
			err = errors.Join(err, os.RemoveAll(name))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Embedded opens the store in a folder, with a server inside this program that no
// other one can reach. Only one program at a time can have a folder open.
//
// What was written survives a kill of the program at any moment. If the machine loses
// power, the last two minutes of it may be lost; the tasks are then done again.
func Embedded(ctx context.Context, folder string) (s *Store, err error) {
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return nil, err
	}
	unlock, err := lock.Folder(folder)
	if errors.Is(err, lock.ErrHeld) {
		err = fmt.Errorf("%w; 'quotient sweep status' works all the same", err)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	stop := unlock
	defer func() {
		if err != nil {
			stop()
		}
	}()
	if err := sweepAway(folder); err != nil {
		return nil, err
	}
	ns, err := server.NewServer(&server.Options{
		ServerName: "quotient", DontListen: true, NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: filepath.Join(folder, "store"),
		JetStreamMaxMemory: 64 << 20, JetStreamMaxStore: 1 << 50, // the disk is the limit
	})
	if err != nil {
		return nil, err
	}
	stop = func() {
		ns.Shutdown()
		ns.WaitForShutdown()
		unlock()
	}
	ns.Start()
	if !ns.ReadyForConnections(30 * time.Second) {
		return nil, fmt.Errorf("%s: the server inside the program does not start; is it a store of another program?", folder)
	}
	nc, err := nats.Connect("", nats.InProcessServer(ns), nats.MaxReconnects(-1))
	if err != nil {
		return nil, err
	}
	if s, err = open(ctx, nc, 1, func(string) {}); err == nil {
		err = s.release(ctx)
	}
	if err != nil {
		nc.Close()
		return nil, fmt.Errorf("%s: %w", folder, err)
	}
	s.stop = stop
	go s.watchServer(ns, folder)
	return s, nil
}

// leastRoom is what the disk of a store must have room for.
const leastRoom = 1 << 20

// watchServer ends the connection to the server inside the program when its disk is full, or when it has given up keeping
// things: it tells nobody, and whoever waits for it would wait for minutes.
func (s *Store) watchServer(ns *server.Server, folder string) {
	for tick := time.Tick(200 * time.Millisecond); ns.Running() && !s.nc.IsClosed(); <-tick {
		var err error
		switch free := freeBytes(folder); {
		case free < leastRoom:
			err = &FullError{fmt.Errorf("%d bytes are left for %s", free, folder)}
		case !ns.JetStreamEnabled():
			err = fmt.Errorf("%s: the store has given up; is its disk in order?", folder)
		default:
			continue
		}
		s.end(err)
		s.nc.Close()
	}
}

// release makes all tasks available that a killed program held. Nobody else can hold one
// in a store that was opened just now.
func (s *Store) release(ctx context.Context) error {
	names := s.tasks.ConsumerNames(ctx)
	for name := range names.Name() {
		if err := s.tasks.DeleteConsumer(ctx, name); err != nil {
			return err
		}
	}
	return names.Err()
}
