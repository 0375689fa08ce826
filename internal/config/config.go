// Package config holds the one settings struct: where it comes from (defaults,
// a YAML file, the environment), what is wrong with it, and how it prints
// without its secrets. It refuses to know what the settings are for: app hands
// every package the few values it needs.
package config

import (
	"log/slog"
	"time"
)

// Settings is everything an operator can choose. Each field's key in the file
// is its section and tag, "server.listen"; in the environment the same in
// capitals, THHOTEL_SERVER_LISTEN.
type Settings struct {
	DataDir   string    `key:"data_dir"`
	BlobDir   string    `key:"blob_dir"` // default: blobs in the data directory
	Server    Server    `key:"server"`
	Database  Database  `key:"database"`
	Limit     Limit     `key:"limit"`
	Session   Session   `key:"session"`
	Log       Log       `key:"log"`
	Audit     Audit     `key:"audit"`
	Runtime   Runtime   `key:"runtime"`
	Telemetry Telemetry `key:"telemetry"`
	Hotel     Hotel     `key:"hotel"`
}

// Server is the HTTP side.
type Server struct {
	Listen  string `key:"listen"`
	BaseURL string `key:"base_url"` // as clients reach it; no path

	MaxBody        ByteSize `key:"max_body"`
	MaxDelivery    ByteSize `key:"max_delivery"`    // of one mail that the bus delivers, as JSON
	TrustedHosts   []string `key:"trusted_hosts"`   // Host headers answered, besides the base URL's; "*" any
	TrustedOrigins []string `key:"trusted_origins"` // other sites whose pages may call
	TrustedProxies []string `key:"trusted_proxies"` // addresses whose X-Forwarded-For is believed
	SecureCookies  bool     `key:"secure_cookies"`  // default: whether the base URL is https

	ReadHeaderTimeout time.Duration `key:"read_header_timeout"`
	ReadTimeout       time.Duration `key:"read_timeout"`
	WriteTimeout      time.Duration `key:"write_timeout"`
	IdleTimeout       time.Duration `key:"idle_timeout"`
	ShutdownTimeout   time.Duration `key:"shutdown_timeout"` // how long running calls may drain
}

// Database says where the data is.
type Database struct {
	Driver   string `key:"driver"` // sqlite or mysql
	DSN      DSN    `key:"dsn"`    // default on SQLite: thhotel.db in the data directory
	MaxConns int    `key:"max_conns"`
}

// Limit bounds what one credential may ask for.
type Limit struct {
	PerSecond int `key:"per_second"`
	Burst     int `key:"burst"`
}

// Session bounds how long people stay signed in, and how often they may guess.
type Session struct {
	Idle            time.Duration `key:"idle"`
	Max             time.Duration `key:"max"`
	UserFailures    int           `key:"user_failures"`
	AddressFailures int           `key:"address_failures"`
	FailureWindow   time.Duration `key:"failure_window"`
}

// Log says what is logged and how.
type Log struct {
	Level  string `key:"level"`
	Format string `key:"format"`
}

// SlogLevel is the level as log/slog has it.
func (l Log) SlogLevel() slog.Level {
	var level slog.Level
	_ = level.UnmarshalText([]byte(l.Level)) // Load has checked it
	return level
}

// Audit says when the audit log is in trouble.
type Audit struct {
	// SealWithin is how long a row may wait for its place in the hash chain before
	// `audit verify`, `doctor` and the audit page warn; a server seals every second.
	SealWithin time.Duration `key:"seal_within"`
}

// Runtime tunes Go's memory management. The runtime's own variables, GOGC and
// GOMEMLIMIT, win where they are set.
type Runtime struct {
	GCPercent   int      `key:"gc_percent"`   // how much garbage, in percent of what lives, before it is collected
	MemoryLimit ByteSize `key:"memory_limit"` // of the Go heap; near it, garbage is collected earlier
}

// Telemetry says where traces go and who may read metrics. On the main address
// /metrics answers this machine alone.
type Telemetry struct {
	Endpoint    string  `key:"endpoint"` // OTLP over HTTP; "" sends none
	Headers     Secret  `key:"headers"`  // "name=value,name=value", for the collector's key
	SampleRatio float64 `key:"sample_ratio"`
	// MetricsListen is an address of its own for /metrics, for a Prometheus elsewhere; "" opens none.
	MetricsListen string `key:"metrics_listen"`
}

// Hotel is what the house decides about its own work.
type Hotel struct {
	SLAUrgent     time.Duration `key:"sla_urgent"`      // cancel or update with an arrival soon
	SLAUrgentDays int           `key:"sla_urgent_days"` // how soon is soon
	SLAGroup      time.Duration `key:"sla_group"`       // a new group
	SLAOther      time.Duration `key:"sla_other"`
	// Times of their own for event types; 0 takes sla_other.
	SLANew     time.Duration `key:"sla_new"` // a new booking that is no group
	SLAUpdate  time.Duration `key:"sla_update"`
	SLACancel  time.Duration `key:"sla_cancel"`
	SLATrace   time.Duration `key:"sla_trace"`
	SLARooming time.Duration `key:"sla_rooming_list"`
	SLAPayment time.Duration `key:"sla_payment"`

	ClaimLease time.Duration `key:"claim_lease"` // a card stays claimed this long after its page was closed

	MaxNights     int `key:"max_nights"`      // a longer stay needs a "yes"
	MaxYearsAhead int `key:"max_years_ahead"` // an arrival further ahead needs a "yes"
	FITMaxRooms   int `key:"fit_max_rooms"`   // more rooms as FIT need a "yes"
	GroupMinRooms int `key:"group_min_rooms"` // fewer rooms as group need a "yes"
}

// Defaults are the settings of an operator who says nothing.
func Defaults() Settings {
	return Settings{
		DataDir: "data",
		Server: Server{
			Listen: "127.0.0.1:8080", BaseURL: "http://localhost:8080", MaxBody: 10 << 20, MaxDelivery: 40 << 20,
			ReadHeaderTimeout: 10 * time.Second, ReadTimeout: time.Minute, WriteTimeout: 2 * time.Minute,
			IdleTimeout: 2 * time.Minute, ShutdownTimeout: 30 * time.Second,
		},
		Database: Database{Driver: "sqlite", MaxConns: 16},
		Limit:    Limit{PerSecond: 50, Burst: 100},
		Session: Session{Idle: 8 * time.Hour, Max: 24 * time.Hour, UserFailures: 5, AddressFailures: 30,
			FailureWindow: 15 * time.Minute},
		Log:       Log{Level: "info", Format: "json"},
		Audit:     Audit{SealWithin: 5 * time.Minute},
		Runtime:   Runtime{GCPercent: 400, MemoryLimit: 768 << 20},
		Telemetry: Telemetry{SampleRatio: 1},
		Hotel: Hotel{SLAUrgent: time.Hour, SLAUrgentDays: 2, SLAGroup: 4 * time.Hour, SLAOther: 24 * time.Hour, ClaimLease: 15 * time.Minute,
			MaxNights: 30, MaxYearsAhead: 2, FITMaxRooms: 9, GroupMinRooms: 5},
	}
}
