// Package telemetry sets up logging (one JSON line a request on Lambda, one readable line locally) and writes metrics in
// CloudWatch's embedded format, one blob an invocation. It knows nothing of the domain: counts come in as a plain struct.
package telemetry
