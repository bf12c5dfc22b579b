package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"quotient/internal/secret"
)

// HTTP asks a server: GET gives its greeting, and POST of a request its answer.
func HTTP(ctx context.Context, address string, o Options) (*Client, error) {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return nil, fmt.Errorf("%q is no address such as http://localhost:8000/", secret.Redact(address, address))
	}
	return open(ctx, &server{u.String(), &http.Client{CheckRedirect: sameHost}}, o.withDefaults())
}

// A server is a model that is asked over HTTP.
type server struct {
	address string
	client  *http.Client
}

// sameHost refuses redirections to another server: the words are not meant for it.
func sameHost(next *http.Request, before []*http.Request) error {
	first := before[0].URL
	switch {
	case next.URL.Host != first.Host || next.URL.Scheme != first.Scheme:
		return fmt.Errorf("it redirects to %s, another server; if that is meant, give its address", next.URL)
	case len(before) > 3:
		return errors.New("it redirects again and again")
	}
	return nil
}

func (s *server) greet(ctx context.Context, limit int) ([]byte, error) {
	text, err := s.do(ctx, http.MethodGet, nil, limit)
	if r := (*refusal)(nil); errors.As(err, &r) {
		err = s.wrong(err)
	}
	return text, err
}

func (s *server) exchange(ctx context.Context, message []byte, limit int) ([]byte, error) {
	return s.do(ctx, http.MethodPost, message, limit)
}

func (s *server) do(ctx context.Context, method string, body []byte, limit int) ([]byte, error) {
	r, err := http.NewRequestWithContext(ctx, method, s.address, bytes.NewReader(body))
	if err != nil {
		return nil, s.wrong(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json")
	response, err := s.client.Do(r)
	if err != nil {
		return nil, s.failure(ctx, err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, int64(limit)+1))
	switch {
	case err != nil:
		return nil, s.failure(ctx, err)
	case response.StatusCode != http.StatusOK:
		return nil, &refusal{s.redact(fmt.Sprintf("the server answered %s: %s", response.Status, excerpt(bytes.TrimSpace(text))))}
	case len(text) > limit:
		return nil, s.wrong(fmt.Errorf("the model answered with more than %d bytes", limit))
	}
	return bytes.TrimSpace(text), nil
}

// failure prefers the cause of an end over what the connection says of it.
func (s *server) failure(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return s.wrong(context.Cause(ctx))
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err // which does not repeat the address
	}
	return s.wrong(err)
}

// wrong adds the address. Neither it nor what a server repeats of a request shows a password or a key.
func (s *server) wrong(err error) error {
	return fmt.Errorf("%s: %w", s.redact(s.address), secret.Hide(s.address, err))
}

func (s *server) redact(text string) string { return secret.Redact(s.address, text) }

func (s *server) close() { s.client.CloseIdleConnections() }
