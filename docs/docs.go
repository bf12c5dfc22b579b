// Package docs holds the documents, so that the program can show them where it runs.
package docs

import "embed"

// Files are the documents in Markdown, and their pictures.
//
//go:embed *.md *.svg explorer.png gallery
var Files embed.FS
