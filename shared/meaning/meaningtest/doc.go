// Package meaningtest is a stand-in for Upstash Vector that speaks its REST protocol, with faults and with posts that can
// be found only after a while, and the one suite that every meaning.Index passes. Its embedding is a bag of hashed words:
// enough to tell near from far. Production code must not import it.
package meaningtest
