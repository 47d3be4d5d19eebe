package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// certificate names the files of a server's certificate and of the authority that signed it.
type certificate struct {
	cert, key, authority string
	// trust is for clients in this process; others take the authority's file from SSL_CERT_FILE.
	trust *tls.Config
}

// newCertificate makes an authority and has it sign a certificate for 127.0.0.1, both for a day.
func newCertificate(dir string) (certificate, error) {
	c := certificate{
		cert: filepath.Join(dir, "cert.pem"), key: filepath.Join(dir, "key.pem"), authority: filepath.Join(dir, "authority.pem"),
	}
	rootKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, fmt.Errorf("make a key: %w", err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, fmt.Errorf("make a key: %w", err)
	}
	root := template(1, "an authority for one run")
	root.IsCA, root.BasicConstraintsValid, root.KeyUsage = true, true, x509.KeyUsageCertSign
	leaf := template(2, "redis")
	leaf.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
	leaf.KeyUsage, leaf.ExtKeyUsage = x509.KeyUsageDigitalSignature, []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	rootDER, err := x509.CreateCertificate(rand.Reader, root, root, &rootKey.PublicKey, rootKey)
	if err != nil {
		return c, fmt.Errorf("sign the authority: %w", err)
	}
	leafDER, err := x509.CreateCertificate(rand.Reader, leaf, root, &key.PublicKey, rootKey)
	if err != nil {
		return c, fmt.Errorf("sign the certificate: %w", err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		return c, fmt.Errorf("write the key: %w", err)
	}
	for _, f := range []struct {
		path, kind string
		der        []byte
	}{{c.cert, "CERTIFICATE", leafDER}, {c.key, "PRIVATE KEY", keyDER}, {c.authority, "CERTIFICATE", rootDER}} {
		if err := os.WriteFile(f.path, pem.EncodeToMemory(&pem.Block{Type: f.kind, Bytes: f.der}), 0o600); err != nil {
			return c, fmt.Errorf("write a certificate: %w", err)
		}
	}
	signed, err := x509.ParseCertificate(rootDER)
	if err != nil {
		return c, fmt.Errorf("read the authority: %w", err)
	}
	roots := x509.NewCertPool()
	roots.AddCert(signed)
	c.trust = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	return c, nil
}

func template(serial int64, name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial), Subject: pkix.Name{CommonName: name},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
	}
}
