package gql

import (
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/vektah/gqlparser/v2/ast"

	"channelapi/shared/telegram"
)

// The limits of an operation. They are checked on what was parsed, before it is validated and before anything is fetched.
const (
	maxDepth      = 12
	maxAliases    = 20
	maxRootFields = 10
	// maxComplexity lets ten channels' newest pages pass with every field of every post.
	maxComplexity = 60_000
	// pageSize is how many posts a page has.
	pageSize = 20
	// defaultFeed and maxFeed are what a feed without a limit costs, and the most that one can.
	defaultFeed, maxFeed = 100, 500
)

// listSizes are the usual lengths of lists, by the field's name: complexity is 1 for a field and that of its children
// times the length.
func listSizes(field string) int {
	switch field {
	case "posts":
		return pageSize
	case "entities":
		return 10
	case "media", "reacts", "options", "inline":
		return 4
	}
	return 1
}

// cost is what a selection comes to. Counts stop at far above every limit, so that nested fragments cannot make them
// overflow.
type cost struct{ depth, complexity, aliases, roots int }

func (c *cost) add(o cost) {
	const enough = 1 << 40
	c.depth = max(c.depth, o.depth)
	c.complexity = min(c.complexity+o.complexity, enough)
	c.aliases = min(c.aliases+o.aliases, enough)
	c.roots = min(c.roots+o.roots, enough)
}

// measure sums the cost of an operation; each fragment is walked once, however often it is spread.
type measure struct {
	doc       *ast.QueryDocument
	variables map[string]any
	fragments map[string]cost
	// introspects is set where __schema or __type is asked for.
	introspects bool
}

// check gives the reason why an operation is refused, nil where it is not.
func (m *measure) check(op *ast.OperationDefinition, introspection bool) error {
	c := m.set(op.SelectionSet)
	switch {
	case c.aliases > maxAliases:
		return fmt.Errorf("the query has more than %d aliases", maxAliases)
	case c.roots > maxRootFields:
		return fmt.Errorf("the query has more than %d root fields", maxRootFields)
	case c.depth > maxDepth:
		return fmt.Errorf("the query is %d levels deep, at most %d are allowed", c.depth, maxDepth)
	case c.complexity > maxComplexity:
		return fmt.Errorf("the query's complexity is %d, at most %d is allowed: ask for fewer fields or posts", c.complexity, maxComplexity)
	case m.introspects && !introspection:
		return fmt.Errorf("introspection is switched off")
	}
	return nil
}

func (m *measure) set(set ast.SelectionSet) cost {
	var sum cost
	for _, s := range set {
		switch s := s.(type) {
		case *ast.Field:
			sum.add(m.field(s))
		case *ast.InlineFragment:
			sum.add(m.set(s.SelectionSet))
		case *ast.FragmentSpread:
			sum.add(m.fragment(s.Name))
		}
	}
	return sum
}

// field counts a field. What is within __schema and __type costs neither depth nor complexity: tools ask deeply there,
// and validation bounds it in its own way. Its aliases count, since each repeats the whole schema.
func (m *measure) field(f *ast.Field) cost {
	var c cost
	if f.Alias != "" && f.Alias != f.Name {
		c.aliases = 1
	}
	c.roots = 1
	kids := m.set(f.SelectionSet)
	c.aliases += kids.aliases
	if f.Name == "__schema" || f.Name == "__type" {
		m.introspects = true
		c.complexity = 1
		return c
	}
	c.depth = 1 + kids.depth
	c.complexity = 1 + kids.complexity*m.length(f)
	return c
}

// fragment gives a fragment's cost. A fragment within itself, which validation refuses later, counts as nothing.
func (m *measure) fragment(name string) cost {
	if c, ok := m.fragments[name]; ok {
		return c
	}
	m.fragments[name] = cost{}
	if d := m.doc.Fragments.ForName(name); d != nil {
		m.fragments[name] = m.set(d.SelectionSet)
	}
	return m.fragments[name]
}

// length is how many times a field's children are to be expected.
func (m *measure) length(f *ast.Field) int {
	switch f.Name {
	case "posts":
		for _, name := range [...]string{"first", "last"} {
			if a := f.Arguments.ForName(name); a != nil {
				return min(max(m.integer(a.Value, pageSize), 1), pageSize)
			}
		}
	case "feed":
		if a := f.Arguments.ForName("limit"); a != nil {
			return min(max(m.integer(a.Value, maxFeed), 1), maxFeed)
		}
		return defaultFeed
	case "related", "find":
		if a := f.Arguments.ForName("limit"); a != nil {
			return min(max(m.integer(a.Value, telegram.MaxNear), 1), telegram.MaxNear)
		}
		return telegram.DefaultNear
	case "previews":
		if a := f.Arguments.ForName("names"); a != nil {
			return max(m.list(a.Value), 1)
		}
	}
	return listSizes(f.Name)
}

// integer reads a literal or a variable; for what is neither, which validation refuses or a default stands for, it gives
// most.
func (m *measure) integer(v *ast.Value, most int) int {
	if v.Kind != ast.Variable {
		if n, err := strconv.Atoi(v.Raw); err == nil {
			return n
		}
		return most
	}
	if n, ok := m.variables[v.Raw].(json.Number); ok {
		if i, err := n.Int64(); err == nil {
			return int(i)
		}
	}
	return most
}

func (m *measure) list(v *ast.Value) int {
	if v.Kind != ast.Variable {
		return len(v.Children)
	}
	if l, ok := m.variables[v.Raw].([]any); ok {
		return len(l)
	}
	return 1
}
