package queue

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"

	"quotient/sweep/plan"
)

// The test program is a server or a worker when asked to by these.
const (
	role      = "QUOTIENT_SWEEP_TEST"
	roleName  = "QUOTIENT_SWEEP_TEST_NAME"  // of the server
	rolePorts = "QUOTIENT_SWEEP_TEST_PORTS" // of the server: for clients, for the cluster, and those of all for the cluster
	roleStore = "QUOTIENT_SWEEP_TEST_STORE" // folder
	roleURL   = "QUOTIENT_SWEEP_TEST_URL"   // for a worker
)

var chaosSeed = flag.Uint64("chaos-seed", 0, "seed of what is killed when; 0: any")

func TestMain(m *testing.M) {
	ackWait, beat, recheck = 2*time.Second, 500*time.Millisecond, 2*time.Second
	var err error
	switch os.Getenv(role) {
	case "":
		os.Exit(m.Run())
	case "server":
		err = serve()
	case "worker":
		err = slowWorker()
	}
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// serve is one of three servers, until it is killed.
func serve() error {
	var ports []int
	for p := range strings.SplitSeq(os.Getenv(rolePorts), ",") {
		n, err := strconv.Atoi(p)
		if err != nil {
			return err
		}
		ports = append(ports, n)
	}
	o := &server.Options{
		ServerName: os.Getenv(roleName), Host: "127.0.0.1", Port: ports[0], NoSigs: true, NoLog: true,
		JetStream: true, StoreDir: os.Getenv(roleStore),
		Cluster: server.ClusterOpts{Name: "test", Host: "127.0.0.1", Port: ports[1]},
	}
	for _, p := range ports[2:] {
		o.Routes = append(o.Routes, &url.URL{Scheme: "nats", Host: net.JoinHostPort("127.0.0.1", strconv.Itoa(p))})
	}
	ns, err := server.NewServer(o)
	if err != nil {
		return err
	}
	ns.Start()
	ns.WaitForShutdown()
	return nil
}

// slowWorker works until it is killed. Tasks take long enough to be interrupted, and
// training is saved after every epoch.
func slowWorker() error {
	checkpointEvery = 0
	s, err := Connect(context.Background(), Server{URL: os.Getenv(roleURL)})
	if err != nil {
		return err
	}
	w := &Worker{Slots: 1}
	w.compute = func(ctx context.Context, t plan.Task, saved func()) (*plan.Result, error) {
		time.Sleep(20 * time.Millisecond)
		r, err := w.do(ctx, t, saved)
		time.Sleep(20 * time.Millisecond)
		return r, err
	}
	return w.Run(context.Background(), s)
}

// A process is this program in another role.
type process struct {
	env []string
	cmd *exec.Cmd
}

func (p *process) start(t testing.TB) {
	t.Helper()
	p.cmd = exec.Command(os.Args[0])
	p.cmd.Env = append(os.Environ(), p.env...)
	p.cmd.Stderr = os.Stderr
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
}

// kill is kill -9.
func (p *process) kill() {
	p.cmd.Process.Kill()
	p.cmd.Wait()
}

// freePorts returns ports that were free a moment ago.
func freePorts(t testing.TB, n int) []string {
	var list []string
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		list = append(list, strconv.Itoa(l.Addr().(*net.TCPAddr).Port))
	}
	return list
}

// startCluster starts three servers and returns them with their addresses.
func startCluster(t testing.TB) (servers []*process, at Server) {
	ports := freePorts(t, 6)
	var urls []string
	for i := range 3 {
		p := &process{env: []string{
			role + "=server", roleName + "=s" + strconv.Itoa(i), roleStore + "=" + filepath.Join(t.TempDir(), "store"),
			rolePorts + "=" + strings.Join(append([]string{ports[i], ports[3+i]}, ports[3:]...), ","),
		}}
		p.start(t)
		t.Cleanup(func() { p.kill() })
		servers = append(servers, p)
		urls = append(urls, "nats://127.0.0.1:"+ports[i])
	}
	return servers, Server{URL: strings.Join(urls, ",")}
}

// connect opens the store once the cluster is up.
func connect(t testing.TB, at Server) *Store {
	t.Helper()
	for begin := time.Now(); ; time.Sleep(100 * time.Millisecond) {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		s, err := Connect(ctx, at)
		cancel()
		if err == nil {
			return s
		}
		if time.Since(begin) > time.Minute {
			t.Fatal(err)
		}
	}
}

// chaosSweep is 500 tasks: 10 networks and 49 extractions from each.
const chaosSweep = `
name: chaos
train:
  language: [tomita1, tomita5]
  hidden: 8
  embedding: 3
  epochs: 4
  patience: 0
  batch: 16
  strings: 60
  length: 10
  dev-strings: 10
  dev-length: 12
  long-strings: 10
  long-length: 14
  seed: {from: 1, to: 5}
extract:
  - epoch: [2, best]
    method: [fold, keep]
    kappa: [0.01, auto]
    strings: 20
    length: 6
    held-out: 50
    held-out-length: 20
    seed: {from: 1, to: 6}
  - epoch: 3
    method: kmeans
    clusters: 3
    strings: 20
    length: 6
    held-out: 50
    held-out-length: 20
`

// comparable returns all results of a sweep by key, without what they cost.
func comparable(t testing.TB, s *Store, f *plan.File) map[string]string {
	t.Helper()
	all := map[string]string{}
	for r, err := range s.Results(t.Context(), f) {
		if err != nil {
			t.Fatal(err)
		}
		r.Cost = plan.Cost{}
		all[r.Task.Key()] = string(encode(r))
	}
	return all
}

func same(t testing.TB, got, want map[string]string) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d results, want %d", len(got), len(want))
	}
	wrong := 0
	for key, r := range want {
		if got[key] != r {
			if wrong++; wrong <= 3 {
				t.Errorf("%s:\n%s\nwant\n%s", key, got[key], r)
			}
		}
	}
	if wrong > 0 {
		t.Errorf("%d results differ", wrong)
	}
}

// Four workers and three servers; workers are killed at random, and so are servers, one
// at a time; the coordinator is restarted. In the end every result is there, was written
// once, and is what one core computes without any faults.
func TestClusterUnderFire(t *testing.T) {
	if testing.Short() {
		t.Skip("takes half a minute")
	}
	seed := *chaosSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	t.Logf("-chaos-seed %d", seed)
	rng := rand.New(rand.NewPCG(seed, 0))
	file, err := plan.Read("chaos.yaml", []byte(chaosSweep))
	if err != nil {
		t.Fatal(err)
	}

	servers, at := startCluster(t)
	var workers []*process
	for range 4 {
		p := &process{env: []string{role + "=worker", roleURL + "=" + at.URL}}
		workers = append(workers, p)
		t.Cleanup(func() {
			if p.cmd != nil {
				p.kill()
			}
		})
	}
	store := connect(t, at)
	defer func() { store.Close() }()
	for info := range store.js.ListStreams(t.Context()).Info() {
		if info.Config.Replicas != 3 {
			t.Errorf("%s has %d replicas", info.Config.Name, info.Config.Replicas)
		}
	}
	for _, p := range workers {
		p.start(t)
	}

	type ending struct {
		status Status
		err    error
	}
	coordinate := func() (context.CancelFunc, chan ending) {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan ending, 1)
		go func(s *Store) {
			status, err := s.Run(ctx, file, Options{})
			ended <- ending{status, err}
		}(store)
		return cancel, ended
	}
	cancel, ended := coordinate()
	var killed [3]int // workers, servers, coordinators
	pause := func(least, most int) <-chan time.Time {
		return time.After(time.Duration(least+rng.IntN(most-least)) * time.Millisecond)
	}
	nextWorker, nextServer, nextCoordinator := pause(300, 900), pause(1000, 2000), pause(2000, 4000)
	var down *process
	var back <-chan time.Time
	var last ending
	for over := false; !over; {
		select {
		case last = <-ended:
			over = true
		case <-nextWorker:
			p := workers[rng.IntN(len(workers))]
			p.kill()
			p.start(t)
			killed[0]++
			nextWorker = pause(300, 900)
		case <-nextServer:
			down = servers[rng.IntN(len(servers))]
			down.kill()
			killed[1]++
			nextServer, back = nil, pause(300, 1500)
		case <-back:
			down.start(t)
			back, nextServer = nil, pause(3000, 5000)
		case <-nextCoordinator:
			cancel()
			<-ended
			store.Close()
			store = connect(t, at)
			cancel, ended = coordinate()
			killed[2]++
			nextCoordinator = nil
		case <-time.After(3 * time.Minute):
			t.Fatal("nothing happens any more")
		}
	}
	cancel()
	t.Logf("killed: %d workers, %d servers, %d coordinators", killed[0], killed[1], killed[2])
	if last.err != nil {
		t.Fatal(last.err)
	}
	if down != nil && back != nil {
		down.start(t)
	}
	if killed[0] == 0 || killed[1] == 0 {
		t.Error("nothing was killed")
	}
	const total = 500
	if s := last.status; s.Train.Done+s.Extract.Done != total || s.Train.Failed+s.Extract.Failed != 0 {
		t.Errorf("%+v", s)
	}
	var state *jetstream.StreamInfo
	if err := store.persist(t.Context(), "", func(ctx context.Context) error {
		st, err := store.js.Stream(ctx, "KV_quotient-results")
		if err == nil {
			state, err = st.Info(ctx)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if state.State.Msgs != total || state.State.LastSeq != total {
		t.Errorf("%d results are there, after %d writes; want %d", state.State.Msgs, state.State.LastSeq, total)
	}
	same(t, comparable(t, store, file), alone(t, file))
}

// alone computes a sweep on one core.
func alone(t testing.TB, file *plan.File) map[string]string {
	t.Helper()
	s, err := Embedded(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	runHere(t, s, file, Options{}, &Worker{Slots: 1})
	return comparable(t, s, file)
}

// runHere runs a sweep with a worker in this process.
func runHere(t testing.TB, s *Store, file *plan.File, o Options, w *Worker) Status {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	w.Scratch = t.TempDir()
	go func() { ended <- w.Run(ctx, s) }()
	status, err := s.Run(t.Context(), file, o)
	stop()
	if end := <-ended; !errors.Is(end, context.Canceled) {
		t.Errorf("the worker ends with %v", end)
	}
	if err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(w.Scratch); len(left) > 0 {
		t.Errorf("%s was left", left[0].Name())
	}
	return status
}
