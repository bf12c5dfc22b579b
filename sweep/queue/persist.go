package queue

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Errors that will be the same however often one tries.
var permanent = []error{
	jetstream.ErrKeyNotFound, jetstream.ErrKeyDeleted, jetstream.ErrObjectNotFound,
	jetstream.ErrStreamMessageExceedsMaximum, jetstream.ErrJetStreamNotEnabled, jetstream.ErrJetStreamNotEnabledForAccount,
	jetstream.ErrInvalidKey, nats.ErrMaxPayload, nats.ErrConnectionClosed, nats.ErrAuthorization, nats.ErrPermissionViolation,
}

const (
	noPeers              = 10005 // "no suitable peers for placement"
	replicasNotSupported = 10074 // "replicas > 1 not supported in non-clustered mode"
)

func isPermanent(err error) bool {
	return slices.ContainsFunc(permanent, func(e error) bool { return errors.Is(err, e) }) ||
		waits(err) || conflicts(err) || hasCode(err, replicasNotSupported)
}

// conflicts reports whether something was not written because somebody else was
// faster.
func conflicts(err error) bool {
	return errors.Is(err, jetstream.ErrKeyExists) ||
		hasCode(err, jetstream.JSErrCodeStreamWrongLastSequence, jetstream.JSErrCodeStreamWrongLastSequenceConstant)
}

func hasCode(err error, codes ...jetstream.ErrorCode) bool {
	var api *jetstream.APIError
	return errors.As(err, &api) && slices.Contains(codes, api.ErrorCode)
}

// waits reports whether a task was refused because it is in the queue already.
func waits(err error) bool {
	return err != nil && strings.Contains(err.Error(), "maximum messages per subject")
}

// persist tries until there is no error, or one that will stay.
func (s *Store) persist(ctx context.Context, what string, try func(context.Context) error) error {
	begin := time.Now()
	for wait := 20 * time.Millisecond; ; wait = min(2*wait, 2*time.Second) {
		attempt, cancel := context.WithTimeout(ctx, 10*time.Second)
		free := context.AfterFunc(s.life, cancel)
		err := try(attempt)
		free()
		cancel()
		switch {
		case err == nil:
			return nil
		case s.nc.IsClosed(), s.life.Err() != nil:
			return s.closed()
		case isPermanent(err):
			return err
		case s.stop != nil && isFull(err): // ours is the disk, and nobody else makes room on it
			return saying(err)
		case ctx.Err() != nil:
			return context.Cause(ctx)
		}
		s.complain(begin, what, err)
		pause(ctx, wait)
	}
}

// pause waits, unless ctx ends before.
func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// complain tells of an error that does not go away. Many operations that fail side by side
// are one message.
func (s *Store) complain(begin time.Time, what string, err error) {
	const between = 5 * time.Second
	patience := between
	if isFull(err) { // which does not go away by itself
		patience = 0
	}
	last, now := s.told.Load(), time.Now()
	if now.Sub(begin) < patience || now.UnixNano()-last < int64(between) || !s.told.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	s.log(fmt.Sprintf("%s has failed for %s: %v%s; still trying", what, now.Sub(begin).Round(time.Second), err, advice(err)))
}

// closed says why the connection is at its end, for it begins anew after anything else.
func (s *Store) closed() error {
	if s.life.Err() != nil {
		return context.Cause(s.life)
	}
	if err := s.nc.LastError(); err != nil {
		return fmt.Errorf("the server ended the connection: %w", err)
	}
	return nats.ErrConnectionClosed
}

// advice says what may help against an error that does not go away.
func advice(err error) string {
	switch {
	case errors.Is(err, nats.ErrNoResponders):
		return " (is JetStream enabled on the servers?)"
	case isFull(err):
		return " (the disk of a server is full)"
	case hasCode(err, noPeers):
		return " (there are fewer servers with JetStream than copies are kept: three, or as many as the option replicas says)"
	}
	return ""
}

// get reads a value of a bucket and reports whether there is one.
func (s *Store) get(ctx context.Context, kv jetstream.KeyValue, key string, v any) (revision uint64, found bool, err error) {
	var e jetstream.KeyValueEntry
	err = s.persist(ctx, "reading", func(ctx context.Context) (err error) {
		e, err = kv.Get(ctx, key)
		return err
	})
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	if err := json.Unmarshal(e.Value(), v); err != nil {
		return 0, false, fmt.Errorf("%s in %s: %w", key, kv.Bucket(), err)
	}
	return e.Revision(), true, nil
}

// put writes a value, whatever was there.
func (s *Store) put(ctx context.Context, kv jetstream.KeyValue, key string, v any) error {
	return s.persist(ctx, "writing", func(ctx context.Context) error {
		_, err := kv.Put(ctx, key, encode(v))
		return err
	})
}

// scan reads a whole bucket. If that breaks it begins anew, and says so by reset.
func (s *Store) scan(ctx context.Context, kv jetstream.KeyValue, reset func(), add func(key string, value []byte) error) error {
	var wrong error // with an entry, which is the same however often it is read
	// All entries may take longer than one attempt has.
	err := s.persist(ctx, "reading", func(context.Context) error {
		reset()
		watch, err := kv.WatchAll(ctx, jetstream.IgnoreDeletes())
		if err != nil {
			return err
		}
		defer watch.Stop()
		for {
			select {
			case <-ctx.Done():
				return context.Cause(ctx)
			case e, ok := <-watch.Updates():
				if !ok {
					return errors.New("the connection broke")
				}
				if e == nil {
					return nil
				}
				if wrong = add(e.Key(), e.Value()); wrong != nil {
					wrong = fmt.Errorf("%s in %s: %w", e.Key(), kv.Bucket(), wrong)
					return nil
				}
			}
		}
	})
	return errors.Join(err, wrong)
}

// encode writes what is sent and stored.
func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic("queue: " + err.Error()) // no type here can fail
	}
	return data
}
