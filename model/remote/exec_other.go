//go:build !unix

package remote

import "os/exec"

func shell(command string) *exec.Cmd { return exec.Command("cmd", "/C", command) }

// killTree kills the shell; what it started ends when its input does.
func killTree(cmd *exec.Cmd) { cmd.Process.Kill() }
