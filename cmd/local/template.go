package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"gopkg.in/yaml.v3"
)

// template is what a local run reads of template.yaml.
type template struct {
	Parameters map[string]parameter `yaml:"Parameters"`
	Globals    struct {
		Function struct {
			Timeout int `yaml:"Timeout"`
		} `yaml:"Function"`
	} `yaml:"Globals"`
	Resources map[string]resource `yaml:"Resources"`
}

// parameter is a parameter of the template. A local run has none to set: the defaults hold.
type parameter struct {
	Default string `yaml:"Default"`
}

// resource stands for the template's resources and for their events. The properties' form goes by the type.
type resource struct {
	Type       string    `yaml:"Type"`
	Properties yaml.Node `yaml:"Properties"`
}

// function is what a local run reads of a function's properties.
type function struct {
	Timeout int                 `yaml:"Timeout"`
	Events  map[string]resource `yaml:"Events"`
}

// event is what it reads of a route's.
type event struct {
	Method string `yaml:"Method"`
	Path   string `yaml:"Path"`
}

// findRoot gives the project's folder: the nearest one upwards from dir that holds template.yaml.
func findRoot(dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Stat(filepath.Join(at, "template.yaml")); err == nil {
			return at, nil
		}
		if at == filepath.Dir(at) {
			return "", fmt.Errorf("no template.yaml in %s or above it: run from the project's folder", dir)
		}
	}
}

func readTemplate(file string) (template, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return template{}, err
	}
	var t template
	if err := yaml.Unmarshal(text, &t); err != nil {
		return template{}, fmt.Errorf("read %s: %w", file, err)
	}
	return t, nil
}

// readRoutes gives the routes of every function in a template, in the order in which the gateway prefers them.
func readRoutes(file string) ([]route, error) {
	t, err := readTemplate(file)
	if err != nil {
		return nil, fmt.Errorf("read routes: %w", err)
	}
	var all []route
	for name, r := range t.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		of, err := routesOf(name, r.Properties, t.Globals.Function.Timeout)
		if err != nil {
			return nil, fmt.Errorf("read routes of %s in %s: %w", name, file, err)
		}
		all = append(all, of...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("read routes of %s: there are none", file)
	}
	slices.SortFunc(all, func(a, b route) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), cmp.Compare(len(b.path), len(a.path)), cmp.Compare(a.key(), b.key()))
	})
	return all, nil
}

func routesOf(name string, properties yaml.Node, timeout int) ([]route, error) {
	var f function
	if err := properties.Decode(&f); err != nil {
		return nil, err
	}
	var all []route
	for _, e := range f.Events {
		if e.Type != "HttpApi" {
			continue
		}
		r := route{function: name, timeout: time.Duration(cmp.Or(f.Timeout, timeout)) * time.Second}
		var p event
		if err := e.Properties.Decode(&p); err != nil {
			return nil, err
		}
		if p.Method == "" || p.Path == "" {
			return nil, errors.New("an HttpApi event without Method or Path")
		}
		r.method, r.path = p.Method, p.Path
		all = append(all, r)
	}
	return all, nil
}
