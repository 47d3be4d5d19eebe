// Package openapitest checks answers against the schemas of the OpenAPI document, for tests only.
package openapitest

import (
	"bytes"
	"fmt"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"channelapi/shared/openapi"
)

// location is a made-up address of the document; nothing is fetched.
const location = "https://api.invalid/openapi.json"

// document is the parsed document. A compiler is made for each use: it may not be shared by goroutines.
var document = sync.OnceValues(func() (any, error) {
	return jsonschema.UnmarshalJSON(bytes.NewReader(openapi.JSON()))
})

// Validate checks a JSON document against the schema of a name, for example "ChannelBody".
func Validate(schemaName string, doc []byte) error {
	root, err := document()
	if err != nil {
		return fmt.Errorf("read openapi.json: %w", err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	if err := c.AddResource(location, root); err != nil {
		return fmt.Errorf("add openapi.json: %w", err)
	}
	schema, err := c.Compile(location + "#/components/schemas/" + schemaName)
	if err != nil {
		return fmt.Errorf("compile schema %s: %w", schemaName, err)
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(doc))
	if err != nil {
		return fmt.Errorf("read document for schema %s: %w", schemaName, err)
	}
	if err := schema.Validate(value); err != nil {
		return fmt.Errorf("schema %s: %w", schemaName, err)
	}
	return nil
}
