package remote

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Exec starts a command and asks it. The command is given to the shell: sh -c, or cmd
// /C on Windows. It ends with the context, or with [Client.Close]; processes that it
// started itself end with it, except on Windows.
func Exec(ctx context.Context, command string, o Options) (*Client, error) {
	if strings.TrimSpace(command) == "" {
		return nil, errors.New("the command of the model is empty")
	}
	p, err := start(command)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", command, err)
	}
	c, err := open(ctx, p, o.withDefaults())
	if err != nil {
		return nil, err
	}
	return c, nil
}

// A process is a model that is asked over its standard input and output.
type process struct {
	command string
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  io.ReadCloser
	lines   *bufio.Reader
	stderr  tail

	once   sync.Once
	ended  chan struct{}
	end    error       // how it ended; once ended is closed
	killed atomic.Bool // since it did not end by itself
}

func start(command string) (*process, error) {
	p := &process{command: command, cmd: shell(command), ended: make(chan struct{})}
	var err error
	if p.stdin, err = p.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.cmd.Stderr = &p.stderr
	p.cmd.Env = append(os.Environ(), fmt.Sprintf("QUOTIENT_PROTOCOL=%d", version)) // tells a program why it runs
	p.cmd.WaitDelay = time.Second                                                  // for what others write to its standard error still
	p.lines = bufio.NewReader(p.stdout)
	return p, p.cmd.Start()
}

func (p *process) greet(ctx context.Context, limit int) ([]byte, error) {
	return p.exchange(ctx, nil, limit)
}

// exchange writes a line and reads one. If the context ends, the process is killed,
// which ends writing and reading.
func (p *process) exchange(ctx context.Context, message []byte, limit int) ([]byte, error) {
	stop := context.AfterFunc(ctx, p.kill)
	defer stop()
	if _, err := p.stdin.Write(message); err != nil {
		return nil, p.gone(ctx)
	}
	text, err := readLine(p.lines, limit)
	switch {
	case errors.Is(err, errTooLong):
		return nil, p.wrong(fmt.Errorf("the model answered with more than %d bytes", limit))
	case err != nil:
		return nil, p.gone(ctx)
	}
	return text, nil
}

var errTooLong = errors.New("the line is too long")

// readLine reads up to the end of a line that is not empty.
func readLine(r *bufio.Reader, limit int) ([]byte, error) {
	var text []byte
	for {
		piece, err := r.ReadSlice('\n')
		text = append(text, piece...)
		switch {
		case len(text) > limit:
			return nil, errTooLong
		case err == nil && len(bytes.TrimSpace(text)) == 0:
			text = text[:0]
		case err == nil:
			return bytes.TrimSpace(text), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

// gone says why the process does not answer.
func (p *process) gone(ctx context.Context) error {
	if ctx.Err() != nil {
		return p.wrong(context.Cause(ctx))
	}
	p.finish(time.Second)
	how := "it closed its standard output"
	var exit *exec.ExitError
	switch {
	case p.killed.Load():
		how += " and went on"
	case p.end == nil:
		how = "it ended"
	case errors.As(p.end, &exit):
		how = "it ended with " + exit.String()
	}
	return p.wrong(fmt.Errorf("the model does not answer: %s", how))
}

// wrong adds the command, and the last lines of what it wrote to its standard error.
func (p *process) wrong(err error) error {
	p.finish(0) // so that all it had to say is there
	if said := p.stderr.lines(10); said != "" {
		return fmt.Errorf("%s: %w\nIts last words:\n%s", p.command, err, said)
	}
	return fmt.Errorf("%s: %w", p.command, err)
}

// kill ends the process and what it started.
func (p *process) kill() {
	killTree(p.cmd)
	p.stdout.Close()
}

// finish waits for the process, and kills it after a while.
func (p *process) finish(patience time.Duration) {
	p.once.Do(func() {
		p.stdin.Close()
		timer := time.AfterFunc(patience, func() { p.killed.Store(true); p.kill() })
		if patience > 0 {
			io.Copy(io.Discard, p.lines)
		}
		p.end = p.cmd.Wait()
		timer.Stop()
		killTree(p.cmd) // whatever it left behind
		close(p.ended)
	})
	<-p.ended
}

// close lets the process end by itself, which it should do when its input ends.
func (p *process) close() { p.finish(2 * time.Second) }

// A tail keeps the end of what is written.
type tail struct {
	mu   sync.Mutex
	text []byte
}

func (t *tail) Write(b []byte) (int, error) {
	const most = 8 << 10
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, b[max(0, len(b)-most):]...)
	if excess := len(t.text) - most; excess > 0 {
		t.text = append(t.text[:0], t.text[excess:]...)
	}
	return len(b), nil
}

// lines returns the last lines, indented.
func (t *tail) lines(most int) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(t.text), "?"), "\r\n\t "), "\n")
	list = list[max(0, len(list)-most):]
	if len(list) == 1 && list[0] == "" {
		return ""
	}
	return "  " + strings.Join(list, "\n  ")
}

// redact returns the text: a command has nothing to hide from who runs it.
func (*process) redact(text string) string { return text }
