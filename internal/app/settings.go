package app

import (
	"os"
	"path/filepath"
	"time"

	"thhotel/internal/config"
	"thhotel/internal/database"
	"thhotel/internal/httpd"
	"thhotel/internal/order"
	"thhotel/internal/platform"
	"thhotel/internal/rest"
)

// Embedded returns the settings with everything kept in one folder, on SQLite:
// what the demo and the --data option use.
func Embedded(s config.Settings, dir string) config.Settings {
	s.DataDir, s.BlobDir = dir, filepath.Join(dir, "blobs")
	s.Database.Driver, s.Database.DSN = string(database.SQLite), config.DSN(filepath.Join(dir, "thhotel.db"))
	return s
}

// DatabaseOptions are the settings as package database wants them.
func DatabaseOptions(s config.Settings) database.Options {
	return database.Options{Driver: database.Driver(s.Database.Driver), DSN: string(s.Database.DSN), MaxConns: s.Database.MaxConns}
}

// prepareFolders makes the folders that hold guests' data, for the owner alone.
func prepareFolders(s config.Settings) error {
	for _, dir := range []string{s.DataDir, s.BlobDir} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return err
		}
	}
	return nil
}

func httpOptions(s config.Settings) httpd.Options {
	return httpd.Options{
		MaxBody: int64(s.Server.MaxBody), BodyLimits: map[string]int64{rest.DeliveryPath: int64(max(s.Server.MaxBody, s.Server.MaxDelivery))}, TrustedHosts: s.Server.TrustedHosts, TrustedOrigins: s.Server.TrustedOrigins,
		TrustedProxies: s.Server.TrustedProxies, Rate: httpd.Rate{PerSecond: float64(s.Limit.PerSecond), Burst: s.Limit.Burst},
	}
}

func sessionLimits(s config.Settings) platform.Limits {
	return platform.Limits{SessionIdle: s.Session.Idle, SessionMax: s.Session.Max, UserFailures: s.Session.UserFailures,
		AddressFailures: s.Session.AddressFailures, Window: s.Session.FailureWindow}
}

// orderSettings turns the operator's thresholds into the rules' own units.
func orderSettings(s config.Settings) order.Settings {
	o := order.DefaultSettings()
	o.LeaseMinutes = int(s.Hotel.ClaimLease / time.Minute)
	o.MaxNights, o.MaxDaysAhead = s.Hotel.MaxNights, 365*s.Hotel.MaxYearsAhead
	o.FITMaxRooms, o.GroupMinRooms = s.Hotel.FITMaxRooms+1, s.Hotel.GroupMinRooms
	o.UrgentHours, o.UrgentDays = int(s.Hotel.SLAUrgent/time.Hour), s.Hotel.SLAUrgentDays
	o.GroupHours, o.OtherHours = int(s.Hotel.SLAGroup/time.Hour), int(s.Hotel.SLAOther/time.Hour)
	o.Hours = order.HoursByEvent{NewBooking: hours(s.Hotel.SLANew), Update: hours(s.Hotel.SLAUpdate), Cancel: hours(s.Hotel.SLACancel),
		Trace: hours(s.Hotel.SLATrace), RoomingList: hours(s.Hotel.SLARooming), Payment: hours(s.Hotel.SLAPayment)}
	return o
}

// hours rounds up: half an hour is not no time of its own.
func hours(d time.Duration) int { return int((d + time.Hour - 1) / time.Hour) }
