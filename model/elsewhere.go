package model

import (
	"context"
	"errors"
	"fmt"
	"time"

	"quotient/internal/secret"
	"quotient/model/remote"
)

// elsewhere reports whether the model is one that runs elsewhere.
func (o Options) elsewhere() bool { return o.Exec != "" || o.HTTP != "" }

// openElsewhere opens a model that is asked over standard input and output, or over
// HTTP.
func openElsewhere(ctx context.Context, o Options) (*Model, error) {
	if o.Bos != "" || o.Eos != "" || o.Pad != "" {
		return nil, errors.New("a model that runs elsewhere is asked about words alone: it adds <bos>, <eos> and padding itself, and the options bos, eos and pad do not apply")
	}
	if o.As != "" {
		return nil, errors.New("a model that runs elsewhere says itself in its greeting whether it is a language model: the option as does not apply")
	}
	if o.decides() {
		return nil, errors.New("a model that runs elsewhere says itself what it accepts, a probability above one half: the options yes and threshold do not apply")
	}
	if err := o.unguessed("a model that runs elsewhere"); err != nil {
		return nil, err
	}
	ask := remote.Options{Symbols: o.Symbols, Timeout: o.Timeout, Answers: o.Answers}
	if o.Vocab != "" {
		v, err := readVocabulary(o.Vocab)
		if err != nil {
			return nil, err
		}
		ask.Symbols = v.names
	}
	var client *remote.Client
	var err error
	m := &Model{options: o}
	switch {
	case o.Exec != "" && o.HTTP != "":
		return nil, errors.New("the model is either a command or a server, not both")
	case o.Exec != "":
		m.Name, m.Format = o.Exec, "a process"
		client, err = remote.Exec(ctx, o.Exec, ask)
	default:
		m.Name, m.Format = secret.Redact(o.HTTP, o.HTTP), "a server"
		client, err = remote.HTTP(ctx, o.HTTP, ask)
	}
	if err != nil {
		return nil, err
	}
	if client.Name() != "" {
		m.Format = fmt.Sprintf("%s, %s", client.Name(), m.Format)
	}
	m.Net, m.remote = client, client
	if r, ok := client.Stepper(); ok {
		m.Net = r
	} else {
		m.Stateless = "it runs elsewhere and shows no states"
	}
	return m, nil
}

// Close ends a model that runs elsewhere; of others there is nothing to end.
func (m *Model) Close() {
	if m.remote != nil {
		m.remote.Close()
	}
}

// Elsewhere reports whether the model runs elsewhere.
func (m *Model) Elsewhere() bool { return m.remote != nil }

// Pace returns how long a model that runs elsewhere takes for a word, for which it is asked
// about a few; 0 if that is not known, or the model runs here, or its weights are here and it is asked about little.
func (m *Model) Pace(ctx context.Context) (time.Duration, error) {
	if m.remote == nil || m.Witnessed() {
		return 0, nil
	}
	return m.remote.Pace(ctx)
}

// Remarks returns what is to be said of the answers that a model gave until now.
func (m *Model) Remarks() []string {
	if m.remote == nil {
		return nil
	}
	notes := m.remote.Notes()
	if m.witness == nil {
		return notes
	}
	if said, against := m.witness.Contradictions(); against > 0 {
		notes = append(notes, fmt.Sprintf("of %d words the model itself gave %d another answer than its weights do, which the search computed with", said, against))
	}
	return notes
}
