package train

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"quotient/internal/regular"
)

// Files of a run are sealed: a bit that a disk or a copy has flipped is noticed, and never trained
// on. A file or a line holds the SHA-256 of itself, with zeros in its place; settings.json holds those of the
// files that have no room for one. Runs of older versions have no seals, and their settings say nothing of them.
const sealKey = "sha256"

// blank stands where the seal comes.
var blank = strings.Repeat("0", 2*sha256.Size)

// seals are what settings.json says beside the settings.
type seals struct {
	Sealed map[string]string `json:"sealed,omitempty"` // of the files beside it
	Seal   string            `json:"sha256,omitempty"`
}

// A sealedRecord is a line of epochs.jsonl.
type sealedRecord struct {
	Record
	Seal string `json:"sha256,omitempty"`
}

// digest returns the SHA-256 of data as text.
func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// seal puts the digest into data where it is left blank.
func seal(data []byte) []byte {
	return bytes.Replace(data, []byte(blank), []byte(digest(data)), 1)
}

var sealed = regexp.MustCompile(`"` + sealKey + `": ?"([0-9a-f]{64})"`)

var errBroken = errors.New("it is not what was written: bits of it have changed; restore it from a copy, or train anew")

// checkSeal returns an error if data is not what was sealed.
func checkSeal(data []byte) error {
	at := sealed.FindSubmatchIndex(data)
	if at == nil {
		return errBroken
	}
	before := bytes.Clone(data)
	copy(before[at[2]:], blank)
	if digest(before) != string(data[at[2]:at[3]]) {
		return errBroken
	}
	return nil
}

// intact returns what is in a file of the run, if it is as it was written.
func (r *Run) intact(file string, most int64) ([]byte, error) {
	data, err := regular.ReadFile(r.folder, file, most)
	if err != nil || r.sealed == nil {
		return data, err
	}
	if want, ok := r.sealed[file]; ok {
		if digest(data) != want {
			return nil, errBroken
		}
		return data, nil
	}
	return data, checkSeal(data)
}

// readSettings reads the settings, and what they say about the other files.
func (r *Run) readSettings(data []byte) error {
	var all struct {
		Settings
		seals
	}
	if err := decodeJSON(data, &all); err != nil {
		return err
	}
	r.Settings, r.sealed = all.Settings, all.Sealed
	if all.Seal != "" && r.sealed == nil {
		return fmt.Errorf("it is sealed, and names no files: %w", errBroken)
	}
	if r.sealed != nil {
		return checkSeal(data)
	}
	return nil
}
