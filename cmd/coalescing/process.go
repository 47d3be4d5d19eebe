package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os/exec"
	"sync"
)

// process is one of those under load.
type process struct {
	cmd *exec.Cmd
	out *bufio.Reader

	mu sync.Mutex
	in io.Writer
}

// start starts one with nothing but the given environment.
func (r rig) start(ctx context.Context, l load, environ []string) (*process, error) {
	cmd := exec.CommandContext(ctx, r.program, environmentArg, //nolint:gosec // this program
		fmt.Sprintf("-clients=%d", l.clients), fmt.Sprintf("-duration=%s", l.duration),
		fmt.Sprintf("-think=%s", l.think), "-renewals="+l.renewals)
	cmd.Env, cmd.Stderr = environ, r.log
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start a process: %w", err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("start a process: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("start a process: %w", err)
	}
	return &process{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

// tell writes a line to it.
func (p *process) tell(line string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		return fmt.Errorf("tell a process %.40q: %w", line, err)
	}
	return nil
}

// shared lets several processes write to one place.
type shared struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *shared) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}
