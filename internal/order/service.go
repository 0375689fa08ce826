package order

import (
	"thhotel/internal/audit"
	"thhotel/internal/clock"
	"thhotel/internal/database"
	"thhotel/internal/inbox"
	"thhotel/internal/platform"
)

// Settings are the thresholds of rules, leases and due times.
type Settings struct {
	LeaseMinutes   int // how long a claim holds without renewal
	MaxNights      int // a longer stay needs a yes
	MaxDaysAhead   int // an arrival further away needs a yes
	FITMaxRooms    int // this many rooms or more as FIT need a yes
	GroupMinRooms  int // fewer rooms as GROUP need a yes
	ReleaseDays    int // for allotments that state none; 0: not checked
	UrgentHours    int // due: cancel or update with arrival near
	GroupHours     int // due: new group
	OtherHours     int // due: everything else
	Hours          HoursByEvent
	UrgentDays     int // "near"
	ArrivingDays   int // view "arriving"
	CutoffDays     int // view "cutoff"
	DefaultPersons int // adults per room when a list gives no capacity; 0: not checked
}

// DefaultSettings are the workbench's numbers.
func DefaultSettings() Settings {
	return Settings{LeaseMinutes: 15, MaxNights: 30, MaxDaysAhead: 730, FITMaxRooms: 10, GroupMinRooms: 5,
		UrgentHours: 1, GroupHours: 4, OtherHours: 24, UrgentDays: 2, ArrivingDays: 3, CutoffDays: 7}
}

// Options is what a Service is made of. Zero Settings take the defaults.
type Options struct {
	DB       *database.DB
	Clock    clock.Clock
	Audit    *audit.Log
	Platform *platform.Service
	Inbox    *inbox.Service // where rooming lists' files are read; nil reads none
	Settings Settings
}

// Service holds the use cases of orders, cards and notices.
type Service struct {
	db       *database.DB
	clock    clock.Clock
	audit    *audit.Log
	platform *platform.Service
	inbox    *inbox.Service
	set      Settings
	store    store
}

// New returns the service.
func New(o Options) *Service {
	if o.Settings == (Settings{}) {
		o.Settings = DefaultSettings()
	}
	return &Service{db: o.DB, clock: o.Clock, audit: o.Audit, platform: o.Platform, inbox: o.Inbox, set: o.Settings, store: store{db: o.DB, clock: o.Clock}}
}
