package main

import (
	"fmt"
	"io"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"quotient/sweep/plan"
)

// version is set by the linker for a release: -ldflags "-X main.version=1.2.3".
var version = "development"

func newVersion() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  quotient version --json",
		Args:    exactly(),
	}
	asJSON := jsonFlag(cmd)
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		v := buildVersion()
		return answer(cmd, *asJSON, v, func(w io.Writer) { fmt.Fprintln(w, v) })
	}
	return cmd
}

type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision,omitempty"`
	Results  string `json:"results"` // the version that workers of a sweep must share
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

func (b build) String() string {
	text := "quotient " + b.Version
	if b.Revision != "" {
		text += " (" + b.Revision + ")"
	}
	return fmt.Sprintf("%s, results %s, %s, %s", text, b.Results, b.Go, b.Platform)
}

func buildVersion() build {
	b := build{Version: version, Results: plan.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			b.Revision = s.Value[:min(12, len(s.Value))]
		}
	}
	return b
}
