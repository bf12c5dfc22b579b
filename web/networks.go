package web

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"

	"quotient/internal/cache"
	"quotient/language"
	"quotient/model"
	"quotient/oracle"
	"quotient/train"
)

// Names of networks begin with where they are from: zoo:, or one of these.
const (
	fromRuns   = "run:"    // a path under the folder that the server was given
	fromUpload = "upload:" // a file that was dropped on the page
	LiveName   = "live:"   // the model that runs elsewhere, of which there is one
)

// A network is what the page knows of one: the badge.
type network struct {
	Name      string         `json:"name"`
	Title     string         `json:"title"` // for people
	Format    string         `json:"format"`
	Cell      string         `json:"cell,omitempty"`
	Layers    int            `json:"layers,omitempty"`
	Hidden    int            `json:"hidden,omitempty"`
	Dim       int            `json:"dim,omitempty"` // numbers of a state
	Symbols   []string       `json:"symbols"`
	Language  string         `json:"language,omitempty"`  // that it was trained on, if it is known
	Words     string         `json:"in_words,omitempty"`  // that language, as one says it
	Stateless string         `json:"stateless,omitempty"` // why it shows no states, if it does not
	Reading   string         `json:"reading"`             // how it is read
	Notes     []string       `json:"notes,omitempty"`     // guesses about what the file does not say
	Record    *train.Record  `json:"record,omitempty"`
	Epochs    []int          `json:"epochs,omitempty"` // after which it can be had
	Records   []train.Record `json:"records,omitempty"`

	model *model.Model
	size  int64 // bytes of its parameters
}

// newNetwork describes a network that is open.
func newNetwork(name string, m *model.Model) *network {
	n := &network{Name: name, Title: m.Name, Format: m.Format, Stateless: m.Stateless, Reading: m.Reading(), Notes: m.Notes, Symbols: m.Net.Alphabet().Names(), model: m}
	if m.Run != nil {
		n.Title, n.Format, n.Language = title(name), ofRun, m.Language
		n.Record, n.Epochs, n.Records = m.Record, m.Run.Kept(), m.Run.Records
		n.Words = language.Note(m.Language)
	}
	if q := oracle.Ask(context.Background(), m.Net); q.ShowsStates() {
		n.Dim = q.Dim()
	}
	if s := m.Stack; s != nil {
		n.Layers, n.size = len(s.Layers), 8*int64(s.Params())
		if n.Layers > 0 {
			n.Cell, n.Hidden = s.Layers[0].Cell.String(), s.Layers[0].Hidden()
		}
	}
	return n
}

const ofRun = "training run"

// title is a name without where it is from.
func title(name string) string {
	_, rest, _ := strings.Cut(name, ":")
	return rest
}

// A catalog finds networks by name.
type catalog struct {
	root    *os.Root // where runs are; nil if there are none
	openers []model.Opener
	uploads *cache.Cache[*network]
	bundled func() ([]model.Listing, error)
	live    []*network // the model that runs elsewhere, if there is one
}

func newCatalog(o Options, uploads *cache.Cache[*network]) (*catalog, error) {
	c := &catalog{uploads: uploads}
	c.bundled = sync.OnceValues(func() ([]model.Listing, error) { return model.Zoo.List(context.Background()) })
	runs := model.Opener{Prefix: fromRuns, Open: func(_ context.Context, name string, _ model.Options) (*model.Model, error) {
		return nil, fmt.Errorf("%s: the server was given no folder of runs", name)
	}}
	if o.Dir != "" {
		var err error
		if c.root, err = os.OpenRoot(o.Dir); err != nil {
			return nil, err
		}
		runs = model.Runs(fromRuns, c.root.FS(), o.Dir)
	}
	c.openers = []model.Opener{model.Zoo, runs}
	if m := o.Live; m != nil {
		n := newNetwork(LiveName, m)
		n.Title = m.Format
		c.live = append(c.live, n)
		c.openers = append(c.openers, model.Opener{Prefix: LiveName, Open: func(context.Context, string, model.Options) (*model.Model, error) { return m, nil }})
	}
	return c, nil
}

// open opens a network.
func (c *catalog) open(ctx context.Context, name string) (*network, error) {
	if strings.HasPrefix(name, fromUpload) {
		return c.uploads.Get(ctx, name, func(context.Context) (*network, error) {
			return nil, badf("%s is not known (any longer): drop the file on the page again", name)
		})
	}
	opener, err := model.Find(c.openers, name)
	if err != nil {
		return nil, badRequest{err}
	}
	m, err := opener.Open(ctx, name, model.Options{})
	if err == nil {
		err = m.Decides()
	}
	if err != nil {
		return nil, badRequest{err}
	}
	return newNetwork(name, m), nil
}

// list describes all networks that can be picked, without opening them.
func (c *catalog) list(ctx context.Context) (bundled, runs []*network, err error) {
	all, err := c.bundled()
	if err != nil {
		return nil, nil, err
	}
	bundled, runs = listed(all), []*network{}
	slices.SortStableFunc(bundled, func(a, b *network) int { return strings.Compare(a.Cell, b.Cell) })
	if c.root != nil {
		opener, _ := model.Find(c.openers, fromRuns)
		found, err := opener.List(ctx)
		return bundled, append(runs, listed(found)...), err
	}
	return bundled, runs, nil
}

func listed(all []model.Listing) []*network {
	var list []*network
	for _, l := range all {
		s, best := l.Run.Settings, train.Best(l.Run.Records)
		list = append(list, &network{
			Name: l.Name, Title: title(l.Name), Format: ofRun, Cell: s.Cell, Layers: s.Layers, Hidden: s.Hidden,
			Symbols: l.Run.Language.Alphabet.Names(), Language: s.Language, Record: &best, Epochs: l.Run.Kept(),
		})
	}
	return list
}
