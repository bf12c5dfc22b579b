package main

import (
	"context"
	"errors"
	"fmt"
	"html"
	"io"
	"math"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"quotient/model"
	"quotient/sweep/queue"
	"quotient/web"
)

func newServe() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Explore extraction in the browser",
		Long: `Serve a page on which extraction is something one watches: the automaton, drawn as
kappa moves; the network's states in the plane; merging, step by step; words tried on
network and automaton side by side; training, epoch by epoch. Everything comes from
this program; nothing is loaded from elsewhere.

The page offers the networks that come with the program, the training runs under
--dir, and any file that is dropped on it, and lists the sweeps there and, with --nats URL, on a
NATS server. --exec COMMAND or --http URL adds a model that
runs elsewhere, as for 'quotient extract', and the page begins with it.

Only this machine is answered. With --listen on another address, everyone who can
reach it needs the token that is printed at the start.`,
		Example: `  quotient serve
  quotient serve --dir runs --open
  quotient serve --listen 0.0.0.0:8421`,
		Args: exactly(),
	}
	listen := cmd.Flags().String("listen", "127.0.0.1:8421", "address to listen on; port 0 takes any that is free")
	dir := cmd.Flags().String("dir", "", "folder in which training runs are looked for")
	open := cmd.Flags().Bool("open", false, "open the page in the browser")
	var live model.Options
	cmd.Flags().StringVar(&live.Exec, "exec", "", "command of a program to ask, for the shell")
	cmd.Flags().StringVar(&live.HTTP, "http", "", "address of a server to ask")
	cmd.Flags().DurationVar(&live.Timeout, "timeout", 0, "time for an answer to a batch of words from --exec or --http (default 30s)")
	at := natsFlags(cmd)
	upload := cmd.Flags().Int64("max-upload", 64, "size of the largest file that may be dropped on the page, in MB")
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		if *upload < 1 {
			return usagef("--max-upload %d: it must be at least 1", *upload)
		}
		if debug.SetMemoryLimit(-1) == math.MaxInt64 { // GOMEMLIMIT says nothing else
			debug.SetMemoryLimit(web.MemoryLimit)
		}
		ctx, stop := interruptible(cmd.Context())
		defer stop()
		l, err := net.Listen("tcp", *listen)
		if err != nil {
			return fmt.Errorf("--listen %s: %w; 127.0.0.1:0 takes any port that is free", *listen, err)
		}
		o := web.Options{Dir: *dir, Version: buildVersion().String(), MaxUpload: *upload << 20}
		if ip := l.Addr().(*net.TCPAddr).IP; !ip.IsLoopback() {
			o.Token = web.NewToken()
		}
		if o.Live, err = openLive(ctx, live); err != nil {
			l.Close()
			return err
		}
		if o.Sweeps, err = openSweeps(ctx, at, cmd.ErrOrStderr()); err != nil {
			l.Close()
			return err
		}
		s, err := web.New(o)
		if err != nil {
			l.Close()
			return err
		}
		defer s.Close()
		address := pageAddress(l.Addr().(*net.TCPAddr), o)
		fmt.Fprintf(cmd.OutOrStdout(), "the page is at %s\n", address)
		if o.Token != "" {
			fmt.Fprintln(cmd.OutOrStdout(), "whoever has this address can use it, and nobody else")
		}
		if *open {
			defer openBrowser(cmd.ErrOrStderr(), address)()
		}
		return serveUntil(ctx, l, s)
	}
	return cmd
}

// openLive opens the model that runs elsewhere, if one is asked for. On the page it has the name
// that it tells, since its address may be a secret.
func openLive(ctx context.Context, o model.Options) (*model.Model, error) {
	if o.Exec == "" && o.HTTP == "" {
		return nil, nil
	}
	m, err := model.Open(ctx, "", o)
	if err != nil {
		return nil, err
	}
	m.Name = m.Format
	context.AfterFunc(ctx, m.Close)
	return m, nil
}

// openSweeps returns what lists the sweeps on a server, if one is named.
func openSweeps(ctx context.Context, at *queue.Server, errs io.Writer) (func(context.Context) ([]queue.Status, error), error) {
	if !fromEnvironment(at) {
		return nil, nil
	}
	store, err := openStore(ctx, *at, "", errs)
	if err != nil {
		return nil, err
	}
	context.AfterFunc(ctx, store.Close)
	return store.Sweeps, nil
}

// pageAddress returns where a browser finds the page. A server that listens on all
// addresses is found under the name of its machine.
func pageAddress(at *net.TCPAddr, o web.Options) string {
	host := at.IP.String()
	if at.IP.IsUnspecified() {
		host = "localhost"
		if name, err := os.Hostname(); err == nil {
			host = name
		}
	}
	query := url.Values{}
	if o.Token != "" {
		query.Set("token", o.Token)
	}
	if o.Live != nil {
		query.Set("model", web.LiveName)
	}
	address := "http://" + net.JoinHostPort(host, fmt.Sprint(at.Port)) + "/"
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	return address
}

// serveUntil serves until ctx is done. Requests are then canceled, not waited for.
func serveUntil(ctx context.Context, l net.Listener, h http.Handler) error {
	server := &http.Server{
		Handler:           h,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * time.Minute,
		MaxHeaderBytes:    64 << 10,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	stop := context.AfterFunc(ctx, func() { server.Close() })
	defer stop()
	if err := server.Serve(l); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// openBrowser opens an address in the user's browser; if it cannot, the address has
// been printed. The address may hold the token, and arguments of processes are for all eyes, so the browser
// is handed a file that only the user can read and that leads there. It is removed when done is called.
func openBrowser(errs io.Writer, address string) (done func()) {
	path, err := leading(address)
	if err == nil {
		name, args := "xdg-open", []string{path}
		switch runtime.GOOS {
		case "darwin":
			name = "open"
		case "windows":
			name, args = "rundll32", []string{"url.dll,FileProtocolHandler", path}
		}
		err = exec.Command(name, args...).Start()
	}
	if err != nil {
		fmt.Fprintf(errs, "the browser does not open by itself: %v\n", err)
	}
	return func() { os.RemoveAll(filepath.Dir(path)) }
}

// leading returns a page, in a folder of its own, that leads to an address.
func leading(address string) (path string, err error) {
	cache, err := os.UserCacheDir() // where browsers that are kept apart from the rest of the system may read
	if err != nil || os.MkdirAll(cache, 0o700) != nil {
		cache = ""
	}
	folder, err := os.MkdirTemp(cache, "quotient-page-")
	if err != nil {
		return "", err
	}
	path = filepath.Join(folder, "quotient.html")
	page := fmt.Sprintf("<!DOCTYPE html><meta charset=utf-8><meta http-equiv=refresh content=\"0;url=%s\"><title>Quotient</title>\n", html.EscapeString(address))
	return path, os.WriteFile(path, []byte(page), 0o600)
}
