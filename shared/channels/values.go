package channels

import (
	"encoding/json"
	"fmt"
)

// Value reads an answer's JSON into a T, the type that the method behind the answer names.
func Value[T any](a Answer, err error) (T, Facts, error) {
	var v T
	if err != nil {
		return v, Facts{}, err
	}
	if v, err = decode[T](a.Body.Identity()); err != nil {
		return v, Facts{}, err
	}
	return v, a.Facts, nil
}

// decode reads the JSON of a stored answer, where that could be had.
func decode[T any](text []byte, err error) (T, error) {
	var v T
	if err != nil {
		return v, err
	}
	if err := json.Unmarshal(text, &v); err != nil {
		return v, fmt.Errorf("decode a stored answer: %w", err)
	}
	return v, nil
}
