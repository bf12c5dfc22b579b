package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"quotient/internal/cache"
	"quotient/model"
)

// What a stranger's file may cost. Its size is bounded by the options, one file is
// read at a time, and readers take memory in proportion to the file. A few may arrive
// at a time, so that a slow sender does not keep the others waiting.
const (
	sendTime   = 2 * time.Minute  // to send it
	readTime   = 30 * time.Second // to read it
	maxSending = 32               // files that are on their way
	piece      = 64 << 10         // bytes that must arrive
	drainTime  = 10 * time.Second // for which more is read than is taken
	reading    = 5                // bytes that a reader takes for each of a file
	maxField   = 1 << 20          // bytes of a field beside the file
	maxWidth   = 1 << 18          // symbols × numbers of a state: what exploring keeps of one state's successors
)

// pieceTime is within which a piece of a file must arrive. Tests are less patient.
var pieceTime = 10 * time.Second

// timed ends requests whose body takes too long to arrive, as a whole or from one piece to the next, so that who
// sends slowly does not keep others out. Who sends too much is still read for a while after the
// answer: whoever is cut off while sending does not get to see it.
func timed(next http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		c.EnableFullDuplex()
		defer c.SetReadDeadline(time.Time{})
		body := &paced{ReadCloser: r.Body, c: c, end: time.Now().Add(sendTime)}
		r.Body = body
		body.renew()
		next(w, r)
		c.Flush()
		body.end = time.Now().Add(drainTime)
		io.Copy(io.Discard, body)
	}
}

// A paced body must arrive in pieces of some size, each within a time.
type paced struct {
	io.ReadCloser
	c    *http.ResponseController
	end  time.Time // of all of it
	read int       // of the piece
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b)
	if p.read += n; p.read >= piece {
		p.renew()
	}
	return n, err
}

func (p *paced) renew() {
	p.read = 0
	end := time.Now().Add(pieceTime)
	if end.After(p.end) {
		end = p.end
	}
	p.c.SetReadDeadline(end)
}

// upload takes a network's file, and what its tokens mean if the file does not say
// so, as a form.
func (s *Server) upload(r *http.Request) (*network, error) {
	select {
	case s.sending <- struct{}{}:
		defer func() { <-s.sending }()
	default:
		return nil, badf("%d other files are on their way; try again in a moment", maxSending)
	}
	folder, err := os.MkdirTemp("", "quotient-upload-")
	if err != nil {
		return nil, err
	}
	form, err := s.receive(r, folder)
	if err != nil {
		os.RemoveAll(folder)
		return nil, err
	}
	select {
	case s.decoding <- struct{}{}: // whoever reads gives it back, also after the time is over
	case <-r.Context().Done():
		os.RemoveAll(folder)
		return nil, context.Cause(r.Context())
	}
	computed, err := s.compute(r.Context(), reading*form.size, "")
	if err != nil {
		<-s.decoding
		os.RemoveAll(folder)
		return nil, err
	}
	type outcome struct {
		n   *network
		err error
	}
	ctx, cancel := context.WithTimeoutCause(r.Context(), readTime, fmt.Errorf("%s: reading it takes too long", form.name))
	defer cancel()
	done := make(chan outcome, 1)
	go func() {
		n, err := cache.Safely(func() (*network, error) { return form.open(ctx) })
		os.RemoveAll(folder)
		computed()
		<-s.decoding
		done <- outcome{n, err}
	}()
	select {
	case o := <-done:
		if o.err != nil {
			return nil, badRequest{o.err}
		}
		return s.catalog.uploads.Get(r.Context(), o.n.Name, func(context.Context) (*network, error) { return o.n, nil })
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// A form is an upload as it was received.
type form struct {
	name   string // of the file, as its owner calls it
	path   string // where it lies now
	size   int64  // of the file, in bytes
	digest string // of everything
	fields map[string]string
}

// receive writes the file into a folder.
func (s *Server) receive(r *http.Request, folder string) (*form, error) {
	r.Body = http.MaxBytesReader(nil, r.Body, s.o.MaxUpload+8*maxField)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, badRequest{err}
	}
	f := &form{fields: map[string]string{}}
	hash := sha256.New()
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, tooLong(err, s.o.MaxUpload)
		}
		fmt.Fprintf(hash, "%q %q\n", part.FormName(), part.FileName())
		if part.FormName() == "file" {
			if f.path != "" {
				return nil, badf("one file at a time")
			}
			f.name = part.FileName() // without any folder; see its documentation
			f.path = filepath.Join(folder, "network"+safeExtension(f.name))
			if f.size, err = save(f.path, io.TeeReader(part, hash), s.o.MaxUpload); err != nil {
				return nil, tooLong(err, s.o.MaxUpload)
			}
			continue
		}
		if err := f.field(part, hash); err != nil {
			return nil, tooLong(err, s.o.MaxUpload)
		}
	}
	if f.path == "" {
		return nil, badf("there is no file in the form")
	}
	f.digest = hex.EncodeToString(hash.Sum(nil)[:8])
	return f, nil
}

func (f *form) field(part *multipart.Part, hash io.Writer) error {
	text, err := io.ReadAll(io.TeeReader(io.LimitReader(part, maxField+1), hash))
	if err != nil {
		return err
	}
	if len(text) > maxField {
		return badf("the field %q is longer than %d bytes", part.FormName(), maxField)
	}
	if len(f.fields) == 16 {
		return badf("the form has too many fields")
	}
	f.fields[part.FormName()] = strings.TrimSpace(string(text))
	return nil
}

// tooLong says in words that a file is too large.
func tooLong(err error, most int64) error {
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		return fmt.Errorf("the file is larger than %d MB, which is the most that is taken: %w", most>>20, large)
	}
	var bad badRequest
	if errors.As(err, &bad) {
		return err
	}
	return badRequest{fmt.Errorf("the file did not arrive: %w", err)}
}

// safeExtension returns the extension of a name, if it is a plain one: it is what
// tells the formats apart.
func safeExtension(name string) string {
	e := strings.ToLower(filepath.Ext(name))
	if len(e) > 16 || strings.IndexFunc(strings.TrimPrefix(e, "."), func(r rune) bool { return r < '0' || r > 'z' || r > '9' && r < 'a' }) >= 0 {
		return ""
	}
	return e
}

func save(path string, from io.Reader, most int64) (size int64, err error) {
	f, err := os.Create(path)
	if err != nil {
		return 0, err
	}
	n, err := io.Copy(f, io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = &http.MaxBytesError{Limit: most}
	}
	return n, errors.Join(err, f.Close())
}

// open reads the network. Messages name the file as its owner does.
func (f *form) open(ctx context.Context) (*network, error) {
	o, err := f.options()
	if err != nil {
		return nil, err
	}
	m, err := model.Open(ctx, f.path, o)
	if err != nil {
		names := []string{f.path, f.name}
		if o.Vocab != "" {
			names = append(names, "vocabulary "+o.Vocab, "the vocabulary", o.Vocab, "the vocabulary")
		}
		return nil, errors.New(strings.NewReplacer(names...).Replace(err.Error()))
	}
	m.Rename(f.name, "vocab.json")
	n := newNetwork(fromUpload+f.digest, m)
	if len(n.Symbols)*max(n.Dim, 1) > maxWidth {
		return nil, fmt.Errorf("%s: %d symbols and states of %d numbers are more than this page explores; the command line takes them",
			f.name, len(n.Symbols), n.Dim)
	}
	return n, nil
}

// options reads what the file does not say.
func (f *form) options() (o model.Options, err error) {
	if text := f.fields["vocab"]; text != "" {
		o.Vocab = filepath.Join(filepath.Dir(f.path), "vocab.json")
		if err := os.WriteFile(o.Vocab, []byte(text), 0o600); err != nil {
			return o, err
		}
	}
	if text := f.fields["symbols"]; text != "" {
		for name := range strings.SplitSeq(text, ",") {
			o.Symbols = append(o.Symbols, strings.TrimSpace(name))
		}
	}
	o.Bos, o.Eos, o.Summary = f.fields["bos"], f.fields["eos"], f.fields["summary"]
	o.Key, o.Gates, o.Scale, o.Reverse = f.fields["key"], f.fields["gates"], f.fields["embedding-scale"], f.fields["reverse"] == "true"
	o.Activation, o.Nonlinearity = f.fields["activation"], f.fields["nonlinearity"]
	o.As, o.Yes, o.Threshold, o.Pool = f.fields["as"], f.fields["yes"], f.fields["threshold"], f.fields["pool"]
	o.Norm, o.Head, o.Order = f.fields["norm"], f.fields["head"], f.fields["layer-order"]
	o.Pad, o.PadSide = f.fields["pad"], f.fields["pad-side"]
	if text := f.fields["pad-to"]; text != "" {
		if o.PadTo, err = strconv.Atoi(text); err != nil {
			return o, fmt.Errorf("pad-to %s: it is a number of tokens", text)
		}
	}
	if text := f.fields["layer"]; text != "" {
		if o.Layer, err = strconv.Atoi(text); err != nil {
			return o, fmt.Errorf("layer %s: it is a number", text)
		}
	}
	return o, nil
}
