package config

import (
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"time"

	"github.com/caarlos0/env/v11"
)

// faults gathers what is wrong, at most one fault a name.
type faults struct {
	values map[string]string
	named  map[string]bool
	list   []error
}

// add names a fault, with the value where that is no secret.
func (f *faults) add(name string, err error) {
	if err == nil || f.named[name] {
		return
	}
	f.named[name] = true
	if v := f.values[name]; v != "" && !isSecret(name) {
		f.list = append(f.list, fmt.Errorf("%s is %q: %w", name, v, err))
		return
	}
	f.list = append(f.list, fmt.Errorf("%s: %w", name, err))
}

// parse takes over what the parser found, under the variables' names in place of the fields'.
func (f *faults) parse(err error) {
	var all env.AggregateError
	if !errors.As(err, &all) {
		if err != nil {
			f.list = append(f.list, fmt.Errorf("read environment: %w", err))
		}
		return
	}
	for _, e := range all.Errors {
		var p env.ParseError
		if !errors.As(e, &p) {
			f.list = append(f.list, fmt.Errorf("read environment: %w", e))
			continue
		}
		if p.Type == reflect.TypeFor[slog.Level]() {
			p.Err = errors.New("give debug, info, warn or error") // its own error does not say
		}
		f.add(variable(p.Name), p.Err)
	}
}

// variable gives the name in the environment of a field of Config.
func variable(field string) string {
	if sf, ok := reflect.TypeFor[Config]().FieldByName(field); ok {
		return sf.Tag.Get("env")
	}
	return field
}

// isSecret reports whether a variable's field is a Secret.
func isSecret(name string) bool {
	for _, t := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[AWS]()} {
		for i := range t.NumField() {
			if sf := t.Field(i); sf.Tag.Get("env") == name {
				return sf.Type == reflect.TypeFor[Secret]()
			}
		}
	}
	return false
}

func (f *faults) integer(name string, n, low, high int) {
	if n < low || n > high {
		f.add(name, fmt.Errorf("give %d to %d", low, high))
	}
}

func (f *faults) duration(name string, d, low, high time.Duration) {
	if d < low || d > high {
		f.add(name, fmt.Errorf("give %s to %s", low, high))
	}
}
