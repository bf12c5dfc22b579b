// Package web is the explorer: a page in the browser that shows how an automaton is
// extracted from a network, and the small JSON API behind it, which docs/api.md
// describes.
//
// Everything is served by the program itself, the page included. Requests carry all
// settings, so any of them can be repeated, and answers depend on nothing else:
// what the server keeps (opened networks, prepared samples, results) only saves
// time. Long work is streamed, one JSON value a line, and ends when the browser
// goes.
//
// It is safe by default. See guard.go for who gets an answer, upload.go for what a
// stranger's file may cost, and networks.go for what can be read.
package web

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"quotient/docs"
	"quotient/extract"
	"quotient/internal/cache"
	"quotient/internal/text"
	"quotient/model"
	"quotient/study"
	"quotient/sweep/queue"
)

//go:embed page
var embedded embed.FS

// Options say what is served. The zero value serves the bundled networks to this
// machine.
type Options struct {
	Dir       string // where training runs are looked for; empty: nowhere
	Token     string // that every request must have; empty: none, and only this machine is answered
	Version   string // of the program, for the page and for reports
	MaxUpload int64  // size of the largest file that is taken, in bytes; 64 MiB

	// Sweeps lists how far those on a server elsewhere are; nil: there is none.
	Sweeps func(ctx context.Context) ([]queue.Status, error)

	Live *model.Model // a model that runs elsewhere and is offered as [LiveName]; nil: none
}

// A Server answers the page's requests.
type Server struct {
	o        Options
	handler  http.Handler
	catalog  *catalog
	networks *cache.Cache[*network]
	samples  *cache.Cache[*extract.Prepared]
	results  *cache.Cache[*result]
	pictures *cache.Cache[string]

	certificates *cache.Cache[*study.Agreement]
	data         *cache.Cache[*dataFile]
	spoken       *cache.Cache[*spoken]

	underway sync.Map      // from settings to sofar: extractions that take a while
	slots    chan struct{} // taken by those who compute
	memory   *ration       // what they take
	sending  chan struct{} // taken by those who send an upload
	decoding chan struct{} // taken by whoever reads one
	stop     chan struct{}
}

// What is kept, in bytes, and for how long it is kept unused.
const (
	roomNetworks = 64 << 20
	roomUploads  = 128 << 20 // a file of the largest size that is taken by default
	roomSamples  = roomWork
	roomResults  = 32 << 20
	roomPictures = 32 << 20
	roomData     = 16 << 20
	idle         = 5 * time.Minute
)

// New returns a server. It must be closed.
func New(o Options) (*Server, error) {
	if o.MaxUpload <= 0 {
		o.MaxUpload = 64 << 20
	}
	size := func(n *network) int64 { return n.size + 4096 }
	s := &Server{
		o:            o,
		networks:     cache.New(roomNetworks, idle, size),
		samples:      cache.New(roomSamples, idle, sampleSize),
		results:      cache.New(roomResults, idle, (*result).size),
		certificates: cache.New(roomResults, idle, func(*study.Agreement) int64 { return 1 << 12 }),
		data:         cache.New(roomData, 24*time.Hour, func(f *dataFile) int64 { return int64(len(f.text)) + 4096 }),
		spoken:       cache.New(roomResults, idle, (*spoken).size),
		pictures:     cache.New(roomPictures, idle, func(svg string) int64 { return int64(len(svg)) }),
		memory:       newRation(),
		slots:        make(chan struct{}, max(4, 2*runtime.GOMAXPROCS(0))),
		sending:      make(chan struct{}, maxSending),
		decoding:     make(chan struct{}, 1),
		stop:         make(chan struct{}),
	}
	var err error
	if s.catalog, err = newCatalog(o, cache.New(roomUploads, 24*time.Hour, size)); err != nil {
		return nil, err
	}
	s.handler = s.guard(s.routes())
	go s.tidy()
	return s, nil
}

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// Close ends what the server does in the background.
func (s *Server) Close() error {
	close(s.stop)
	if s.catalog.root != nil {
		return s.catalog.root.Close()
	}
	return nil
}

// tidy drops what nobody used for a while, so that memory goes back when the page
// is left.
func (s *Server) tidy() {
	tick := time.NewTicker(idle / 5)
	defer tick.Stop()
	for {
		select {
		case <-s.stop:
			return
		case now := <-tick.C:
			s.sweepAll(now)
			debug.FreeOSMemory()
		}
	}
}

// sweepAll drops what has not been used for a while by the given time.
func (s *Server) sweepAll(now time.Time) {
	s.networks.Sweep(now)
	s.samples.Sweep(now)
	s.results.Sweep(now)
	s.spoken.Sweep(now)
	s.certificates.Sweep(now)
	s.pictures.Sweep(now)
	s.data.Sweep(now)
	s.catalog.uploads.Sweep(now)
}

func (s *Server) routes() http.Handler {
	page, err := fs.Sub(embedded, "page")
	if err != nil {
		panic("web: " + err.Error())
	}
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServerFS(page))
	mux.Handle("GET /docs/", http.StripPrefix("/docs/", http.FileServerFS(docs.Files)))
	mux.HandleFunc("GET /api/about", answer(s.about))
	mux.HandleFunc("GET /api/networks", answer(s.list))
	mux.HandleFunc("GET /api/sweeps", answer(s.sweeps))
	mux.HandleFunc("GET /api/sheet", answer(s.sheet))
	mux.HandleFunc("GET /api/specimen", answer(s.specimen))
	mux.HandleFunc("GET /api/network", answer(s.badge))
	mux.HandleFunc("GET /api/model", answer(s.describe))
	mux.HandleFunc("POST /api/upload", timed(answer(s.upload)))
	mux.HandleFunc("POST /api/data", timed(answer(s.takeData)))
	mux.HandleFunc("GET /api/extract", s.extract())
	mux.HandleFunc("GET /api/predict", ticking(s, s.predict, spokenKey))
	mux.HandleFunc("GET /api/next", answer(s.next))
	mux.HandleFunc("GET /api/study", answer(s.study))
	mux.HandleFunc("GET /api/expression", answer(s.expression))
	mux.HandleFunc("GET /api/sweep", answer(s.sweep))
	mux.HandleFunc("GET /api/points", answer(s.points))
	mux.HandleFunc("GET /api/replay", answer(s.replay))
	mux.HandleFunc("GET /api/word", answer(s.word))
	mux.HandleFunc("GET /api/compare", answer(s.compare))
	mux.HandleFunc("GET /api/check", stream(s.check))
	mux.HandleFunc("GET /api/disagree", stream(s.disagree))
	mux.HandleFunc("GET /api/epochs", stream(s.epochs))
	mux.HandleFunc("GET /api/file", deliver(s.file))
	mux.HandleFunc("GET /api/report", deliver(s.report))
	return mux
}

// A badRequest is an error of whoever asks; its text is the answer.
type badRequest struct{ error }

func (e badRequest) Unwrap() error { return e.error }

func badf(format string, args ...any) error { return badRequest{fmt.Errorf(format, args...)} }

// status returns the HTTP status that an error stands for.
func status(err error) int {
	var bad badRequest
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return http.StatusRequestEntityTooLarge
	case errors.As(err, &bad):
		return http.StatusBadRequest
	case errors.Is(err, cache.ErrPanic):
		return http.StatusInternalServerError
	}
	return http.StatusUnprocessableEntity // the settings are understood, but nothing comes of them
}

// answer serves what f returns as JSON.
func answer[V any](f func(*http.Request) (V, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := cache.Safely(func() (V, error) { return f(r) })
		if err != nil {
			fail(w, err)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		if err := encode(w, v); unsaid(err) {
			fail(w, err)
		}
	}
}

// unsaid reports whether nothing was sent since JSON has no word for it, such as for NaN.
func unsaid(err error) bool {
	var value *json.UnsupportedValueError
	return errors.As(err, &value)
}

func fail(w http.ResponseWriter, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status(err))
	encode(w, newProblem(err))
}

// A problem is an error as the page is told of it.
type problem struct {
	Error string `json:"error,omitempty"`

	Predicts bool `json:"predicts,omitempty"` // the network is a language model
	Data     bool `json:"data,omitempty"`     // the user's words cannot be read
}

func newProblem(err error) problem {
	var other *speaks
	var words *misread
	return problem{Error: text.Message(err), Predicts: errors.As(err, &other), Data: errors.As(err, &words)}
}

func encode(w http.ResponseWriter, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// ndjson is the media type of streams.
const ndjson = "application/x-ndjson"

// stream serves what f tells on the way and returns in the end, a line of JSON each:
// {"progress": …} any number of times, then {"result": …} or {"error": …}.
func stream[V any](f func(r *http.Request, tell func(progress any)) (V, error)) http.HandlerFunc {
	type line struct {
		Progress any `json:"progress,omitempty"`
		Result   any `json:"result,omitempty"`
		problem
	}
	return func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", ndjson)
		send := func(l line) {
			if err := encode(w, l); unsaid(err) {
				encode(w, line{problem: newProblem(err)})
			}
			http.NewResponseController(w).Flush()
		}
		v, err := cache.Safely(func() (V, error) { return f(r, func(p any) { send(line{Progress: p}) }) })
		if err != nil {
			send(line{problem: newProblem(err)})
			return
		}
		send(line{Result: v})
	}
}
