// Package gqltest has what tests ask a GraphQL server. Production code must not import it.
package gqltest

// SchemaQuery is the query by which tools ask for the schema.
const SchemaQuery = `query IntrospectionQuery { __schema { queryType { name } types { ...FullType } directives { name args { ...InputValue } } } }
fragment FullType on __Type { kind name description fields(includeDeprecated: true) { name description args { ...InputValue } type { ...TypeRef } } enumValues { name description } }
fragment InputValue on __InputValue { name type { ...TypeRef } defaultValue }
fragment TypeRef on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name } } } } } } } }`
