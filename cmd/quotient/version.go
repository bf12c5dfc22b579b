package main

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sys/cpu"

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
	Version   string   `json:"version"`
	Revision  string   `json:"revision,omitempty"`
	Date      string   `json:"date,omitempty"` // of the revision
	Results   string   `json:"results"`        // the version that workers of a sweep must share
	Go        string   `json:"go"`
	Platform  string   `json:"platform"`
	Processor []string `json:"processor"` // features that kernels use
}

func (b build) String() string {
	text := "quotient " + b.Version
	if from := strings.Join(slices.DeleteFunc([]string{b.Revision, b.Date}, func(s string) bool { return s == "" }), ", "); from != "" {
		text += " (" + from + ")"
	}
	text = fmt.Sprintf("%s, results %s, %s, %s", text, b.Results, b.Go, b.Platform)
	if len(b.Processor) > 0 {
		text += ", " + strings.Join(b.Processor, " ")
	}
	return text
}

func buildVersion() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return describe(version, info)
}

// pseudo matches the version that Go gives a revision without a tag: its date and its name.
var pseudo = regexp.MustCompile(`^v.*[-.](\d{4})(\d{2})(\d{2})\d{6}-([0-9a-f]{12})(\+.*)?$`)

// describe says what is known about a build. What the linker was not told is in the build
// information: of the repository, or of the module where the program was made by go install.
func describe(version string, info *debug.BuildInfo) build {
	b := build{Version: version, Results: plan.Version(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, Processor: features()}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value[:min(12, len(s.Value))]
		case "vcs.time":
			b.Date, _, _ = strings.Cut(s.Value, "T")
		}
	}
	if m := pseudo.FindStringSubmatch(info.Main.Version); m != nil {
		b.Date, b.Revision = cmp.Or(b.Date, m[1]+"-"+m[2]+"-"+m[3]), cmp.Or(b.Revision, m[4])
	} else if v, _, _ := strings.Cut(info.Main.Version, "+"); version == "development" && strings.HasPrefix(v, "v") {
		b.Version = strings.TrimPrefix(v, "v")
	}
	return b
}

// features returns what the processor has of that for which there are kernels.
func features() (list []string) {
	for _, f := range []struct {
		name string
		has  bool
	}{
		{"avx2", cpu.X86.HasAVX2},
		{"fma", cpu.X86.HasFMA},
		{"avx512", cpu.X86.HasAVX512F && cpu.X86.HasAVX512BW && cpu.X86.HasAVX512DQ && cpu.X86.HasAVX512VL},
		{"asimd", cpu.ARM64.HasASIMD},
	} {
		if f.has {
			list = append(list, f.name)
		}
	}
	return list
}
