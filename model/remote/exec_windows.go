package remote

import (
	"os/exec"
	"syscall"
)

// shell returns a command. Its text reaches cmd as it is: what Go would do to quotes is
// not what cmd reads.
func shell(command string) *exec.Cmd {
	cmd := exec.Command("cmd")
	cmd.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /S /C "` + command + `"`}
	return cmd
}

// killTree kills the shell; what it started ends when its input does.
func killTree(cmd *exec.Cmd) { cmd.Process.Kill() }
