package gql

import (
	"errors"
	"fmt"
)

// errForm is given for an answer that is not JSON of the expected form.
var errForm = errors.New("gql: an answer is not of the expected form")

// project appends what a root field selects of an answer. Whatever is not selected is passed over as bytes, and posts
// beyond first or last are not even looked at.
func project(dst []byte, t Text, root *node) ([]byte, error) {
	p := projection{out: dst, text: t}
	if err := p.value(t.frame(), root); err != nil {
		return dst, fmt.Errorf("read an answer of %d bytes: %w", len(t.JSON), err)
	}
	return p.out, nil
}

// frame gives the JSON of a page without its posts, and any other JSON as it is.
func (t Text) frame() []byte {
	n := len(t.Posts)
	if n == 0 {
		return t.JSON
	}
	head, tail := t.JSON[:t.Posts[0].Start], t.JSON[t.Posts[n-1].End:]
	return append(append(make([]byte, 0, len(head)+len(tail)), head...), tail...)
}

// projection writes the selected fields of JSON in the schema's words.
type projection struct {
	out  []byte
	text Text
}

func (p *projection) value(json []byte, n *node) error {
	switch {
	case n.isLeaf() || string(json) == "null":
		p.out = append(p.out, json...)
		return nil
	case n.isPosts() && p.text.Posts != nil:
		return p.posts(n)
	case n.field.Definition.Type.Elem != nil:
		return p.list(json, n)
	}
	return p.object(json, n.kids)
}

// posts writes posts from their known places.
func (p *projection) posts(n *node) error {
	spans, err := ends(p.text.Posts, n.first, n.last)
	if err != nil {
		return err
	}
	p.out = append(p.out, '[')
	for i, s := range spans {
		if i > 0 {
			p.out = append(p.out, ',')
		}
		if err := p.object(p.text.JSON[s.Start:s.End], n.kids); err != nil {
			return err
		}
	}
	p.out = append(p.out, ']')
	return nil
}

func (p *projection) list(json []byte, n *node) error {
	s := scanner{b: json}
	if !s.take('[') {
		return errForm
	}
	p.out = append(p.out, '[')
	for first := true; !s.take(']'); first = false {
		if !first {
			if !s.take(',') {
				return errForm
			}
			p.out = append(p.out, ',')
		}
		v, ok := s.value()
		if !ok {
			return errForm
		}
		if err := p.object(v, n.kids); err != nil {
			return err
		}
	}
	p.out = append(p.out, ']')
	return nil
}

// usualFields is how many fields of an object find room on the stack.
const usualFields = 16

func (p *projection) object(json []byte, nodes []node) error {
	var room [usualFields][]byte
	values := room[:]
	if len(nodes) > len(values) {
		values = make([][]byte, len(nodes))
	}
	if !members(json, nodes, values) {
		return errForm
	}
	p.out = append(p.out, '{')
	for i := range nodes {
		n := &nodes[i]
		if i > 0 {
			p.out = append(p.out, ',')
		}
		p.out = append(p.out, n.head...)
		switch {
		case n.field.Name == "__typename":
			p.out = append(append(append(p.out, '"'), n.field.ObjectDefinition.Name...), '"')
		case values[i] != nil:
			if err := p.value(values[i], n); err != nil {
				return err
			}
		case n.field.Definition.Type.NonNull:
			return fmt.Errorf("%w: %s is missing", errForm, n.key)
		default:
			p.out = append(p.out, "null"...)
		}
	}
	p.out = append(p.out, '}')
	return nil
}

// members finds the values of nodes among the members of an object, and looks no further than the last of them.
func members(json []byte, nodes []node, values [][]byte) bool {
	s := scanner{b: json}
	if !s.take('{') {
		return false
	}
	open := len(nodes)
	for first := true; !s.take('}'); first = false {
		if !first && !s.take(',') {
			return false
		}
		key, ok := s.key()
		if !ok {
			return false
		}
		v, ok := s.value()
		if !ok || len(v) == 0 {
			return false
		}
		for i := range nodes {
			if nodes[i].key == string(key) {
				values[i] = v
				open--
			}
		}
		if open <= 0 {
			break
		}
	}
	return true
}
