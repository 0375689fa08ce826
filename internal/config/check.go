package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// checker collects what is wrong.
type checker struct{ problems []error }

func (c *checker) that(ok bool, key, format string, args ...any) {
	if !ok {
		c.problems = append(c.problems, fmt.Errorf("%s: "+format, append([]any{key}, args...)...))
	}
}

func (c *checker) oneOf(key, value string, allowed ...string) {
	c.that(slices.Contains(allowed, value), key, "%q is not one of %s%s", value, strings.Join(allowed, ", "), didYouMean(value, allowed))
}

func (c *checker) between(key string, n, low, high int) {
	c.that(n >= low && n <= high, key, "%d is not between %d and %d", n, low, high)
}

func (c *checker) lasts(key string, d, low, high time.Duration) {
	c.that(d >= low && d <= high, key, "%s is not between %s and %s", d, low, high)
}

func (s Settings) check() []error {
	var c checker
	c.that(s.DataDir != "", "data_dir", "a directory is needed")
	s.checkServer(&c)
	s.checkDatabase(&c)
	c.between("limit.per_second", s.Limit.PerSecond, 1, 1_000_000)
	c.between("limit.burst", s.Limit.Burst, 1, 1_000_000)
	s.checkSession(&c)
	c.oneOf("log.level", s.Log.Level, "debug", "info", "warn", "error")
	c.oneOf("log.format", s.Log.Format, "json", "text")
	c.lasts("audit.seal_within", s.Audit.SealWithin, 10*time.Second, 24*time.Hour)
	c.between("runtime.gc_percent", s.Runtime.GCPercent, 10, 10_000)
	c.that(s.Runtime.MemoryLimit >= 64<<20, "runtime.memory_limit", "%s is less than 64MiB", s.Runtime.MemoryLimit)
	c.that(s.Telemetry.Endpoint == "" || isURL(s.Telemetry.Endpoint), "telemetry.endpoint", "%q is not an http or https address", s.Telemetry.Endpoint)
	c.that(s.Telemetry.SampleRatio >= 0 && s.Telemetry.SampleRatio <= 1, "telemetry.sample_ratio", "%v is not between 0 and 1", s.Telemetry.SampleRatio)
	c.that(s.Telemetry.MetricsListen == "" || isAddress(s.Telemetry.MetricsListen), "telemetry.metrics_listen", "%q is not host:port, such as 127.0.0.1:9464 or :9464", s.Telemetry.MetricsListen)
	s.checkHotel(&c)
	return c.problems
}

func (s Settings) checkServer(c *checker) {
	v := s.Server
	c.that(isAddress(v.Listen), "server.listen", "%q is not host:port, such as 127.0.0.1:8080 or :8080", v.Listen)
	u, err := url.Parse(v.BaseURL)
	c.that(err == nil && isURL(v.BaseURL) && u.Path == "" && u.RawQuery == "" && u.Fragment == "" && u.User == nil,
		"server.base_url", "%q is not an http or https address without a path, such as https://hotel.example", v.BaseURL)
	c.that(v.MaxBody >= 64<<10 && v.MaxBody <= 1<<30, "server.max_body", "%s is not between 64KiB and 1GiB", v.MaxBody)
	c.that(v.MaxDelivery >= 64<<10 && v.MaxDelivery <= 64<<20, "server.max_delivery", "%s is not between 64KiB and 64MiB", v.MaxDelivery)
	for _, h := range v.TrustedHosts {
		c.that(!strings.ContainsAny(h, "/@ ") && h != "", "server.trusted_hosts", "%q is not a host name (no scheme, no path)", h)
	}
	for _, o := range v.TrustedOrigins {
		ou, err := url.Parse(o)
		c.that(err == nil && isURL(o) && ou.Path == "", "server.trusted_origins", "%q is not an origin such as https://intranet.example", o)
	}
	for _, p := range v.TrustedProxies {
		c.that(isNetwork(p), "server.trusted_proxies", "%q is not an address or network such as 10.0.0.0/8", p)
	}
	// Browsers drop a Secure cookie on plain http, but for localhost: nobody could sign in.
	c.that(!v.SecureCookies || u == nil || u.Scheme != "http" || isLocal(u.Hostname()), "server.secure_cookies",
		"true needs an https server.base_url, not %s", v.BaseURL)
	c.lasts("server.read_header_timeout", v.ReadHeaderTimeout, time.Second, 5*time.Minute)
	c.lasts("server.read_timeout", v.ReadTimeout, time.Second, time.Hour)
	c.lasts("server.write_timeout", v.WriteTimeout, time.Second, time.Hour)
	c.lasts("server.idle_timeout", v.IdleTimeout, time.Second, time.Hour)
	c.lasts("server.shutdown_timeout", v.ShutdownTimeout, 0, time.Hour)
}

func (s Settings) checkDatabase(c *checker) {
	c.oneOf("database.driver", s.Database.Driver, "sqlite", "mysql")
	c.that(s.Database.DSN != "" || s.Database.Driver != "mysql", "database.dsn",
		"the mysql driver needs one, such as user:password@tcp(127.0.0.1:3306)/thhotel; put it in %s or name a file in %s_FILE",
		Variable("database.dsn"), Variable("database.dsn"))
	c.that(s.Database.Driver != "mysql" || s.Database.DSN == "" || strings.Contains(string(s.Database.DSN), "/"), "database.dsn",
		"a MySQL address looks like user:password@tcp(127.0.0.1:3306)/thhotel")
	c.between("database.max_conns", s.Database.MaxConns, 1, 1000)
}

func (s Settings) checkSession(c *checker) {
	v := s.Session
	c.lasts("session.idle", v.Idle, 5*time.Minute, 30*24*time.Hour)
	c.lasts("session.max", v.Max, 5*time.Minute, 90*24*time.Hour)
	c.that(v.Max >= v.Idle, "session.max", "%s is shorter than session.idle, %s", v.Max, v.Idle)
	c.between("session.user_failures", v.UserFailures, 1, 100)
	c.between("session.address_failures", v.AddressFailures, 1, 10_000)
	c.lasts("session.failure_window", v.FailureWindow, time.Minute, 24*time.Hour)
}

func (s Settings) checkHotel(c *checker) {
	v := s.Hotel
	c.lasts("hotel.sla_urgent", v.SLAUrgent, time.Minute, 30*24*time.Hour)
	c.between("hotel.sla_urgent_days", v.SLAUrgentDays, 0, 365)
	c.lasts("hotel.sla_group", v.SLAGroup, time.Minute, 30*24*time.Hour)
	c.lasts("hotel.sla_other", v.SLAOther, time.Minute, 30*24*time.Hour)
	for name, own := range map[string]time.Duration{"new": v.SLANew, "update": v.SLAUpdate, "cancel": v.SLACancel, "trace": v.SLATrace,
		"rooming_list": v.SLARooming, "payment": v.SLAPayment} {
		c.lasts("hotel.sla_"+name, own, 0, 30*24*time.Hour)
	}
	c.lasts("hotel.claim_lease", v.ClaimLease, time.Minute, 24*time.Hour)
	c.between("hotel.max_nights", v.MaxNights, 1, 3650)
	c.between("hotel.max_years_ahead", v.MaxYearsAhead, 1, 50)
	c.between("hotel.fit_max_rooms", v.FITMaxRooms, 1, 1000)
	c.between("hotel.group_min_rooms", v.GroupMinRooms, 1, 1000)
}

func isAddress(text string) bool {
	_, port, err := net.SplitHostPort(text)
	n, bad := strconv.Atoi(port)
	return err == nil && bad == nil && n >= 0 && n <= 65535
}

func isURL(text string) bool {
	u, err := url.Parse(text)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func isLocal(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil && a.IsLoopback()
}

func isNetwork(text string) bool {
	_, err := netip.ParsePrefix(text)
	if err != nil {
		_, err = netip.ParseAddr(text)
	}
	return err == nil
}

// didYouMean names the nearest of the known names, if one is near.
func didYouMean(given string, known []string) string {
	given = strings.TrimPrefix(given, Prefix) // what all names share says nothing
	best, least := "", len(given)/3+2
	for _, k := range known {
		d := distance(given, strings.TrimPrefix(k, Prefix))
		if _, last, ok := strings.Cut(k, "."); ok { // the right name without its section
			d = min(d, distance(given, last)+1)
		}
		if d < least {
			best, least = k, d
		}
	}
	if best == "" {
		return ""
	}
	return "; did you mean " + best + "?"
}

// distance is Levenshtein's: insertions, deletions and substitutions.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
