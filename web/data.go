package web

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"strings"

	"quotient/extract"
	"quotient/oracle"
)

// fromData begins the names of files of words that were sent.
const fromData = "data:"

// maxData bounds such a file, in bytes: whoever asks for an extraction with it makes the
// network read it.
const maxData = 4 << 20

// A dataFile is words of a user's. What they mean depends on the network, so they are read
// when one is asked about.
type dataFile struct {
	Name  string `json:"name"`  // by which requests refer to it
	Title string `json:"title"` // as its owner calls it
	text  []byte
}

// A misread is an error that the user's words make: without them there is an answer.
type misread struct{ error }

func (e *misread) Unwrap() error { return e.error }

// checkWords says what is wrong with words that nothing can be made of, whatever the network or, if there is one, with it.
func checkWords(ctx context.Context, n *network, f *dataFile) error {
	if n == nil || n.model.Predicts() {
		return extract.CheckData(f.Title, f.text)
	}
	q := oracle.Ask(ctx, n.model.Net)
	_, err := extract.ReadData(extract.Options{Data: f.Title, DataText: f.text}, q.Alphabet(), q.Reads)
	return err
}

// takeData takes a file of words, as a form, if they can be read, and by the network that the query names if it names one.
func (s *Server) takeData(r *http.Request) (*dataFile, error) {
	f, err := s.receiveData(r)
	if err != nil {
		return nil, err
	}
	var n *network
	if model := r.URL.Query().Get("model"); model != "" {
		if n, err = s.network(r.Context(), model); err != nil {
			return nil, err
		}
	}
	done, err := s.compute(r.Context(), small, "")
	if err != nil {
		return nil, err
	}
	defer done()
	if err := checkWords(r.Context(), n, f); err != nil {
		return nil, &misread{err}
	}
	return s.data.Get(r.Context(), f.Name, func(context.Context) (*dataFile, error) { return f, nil })
}

// receiveData reads the form.
func (s *Server) receiveData(r *http.Request) (*dataFile, error) {
	select {
	case s.sending <- struct{}{}:
		defer func() { <-s.sending }()
	default:
		return nil, badf("%d other files are on their way; try again in a moment", maxSending)
	}
	r.Body = http.MaxBytesReader(nil, r.Body, maxData+maxField)
	parts, err := r.MultipartReader()
	if err != nil {
		return nil, badRequest{err}
	}
	for {
		part, err := parts.NextPart()
		if err == io.EOF {
			return nil, badf("there is no file in the form")
		}
		if err != nil {
			return nil, tooLong(err, maxData)
		}
		if part.FormName() != "file" {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(part, maxData+1))
		if err == nil && len(text) > maxData {
			err = &http.MaxBytesError{Limit: maxData}
		}
		if err != nil {
			return nil, tooLong(err, maxData)
		}
		sum := sha256.Sum256(fmt.Appendf(nil, "%q %s", part.FileName(), text))
		return &dataFile{Name: fromData + hex.EncodeToString(sum[:8]), Title: part.FileName(), text: text}, nil
	}
}

// checkData refuses names of files: what is on the server's disk is nobody's business.
func checkData(name string) error {
	if name != "" && !strings.HasPrefix(name, fromData) {
		return badf("data %s: files are not read here; send the file to /api/data, which answers with a name for it", name)
	}
	return nil
}

// withData puts the words that settings name into options, if the network can read them.
func (s *Server) withData(ctx context.Context, n *network, o extract.Options) (extract.Options, error) {
	if o.Data == "" {
		return o, nil
	}
	f, err := s.data.Get(ctx, o.Data, func(context.Context) (*dataFile, error) {
		return nil, badf("%s is not known (any longer): choose the file of words again", o.Data)
	})
	if err == nil {
		err = checkWords(ctx, n, f)
	}
	if err != nil {
		return o, &misread{err}
	}
	o.Data, o.DataText = f.Title, f.text
	return o, nil
}
