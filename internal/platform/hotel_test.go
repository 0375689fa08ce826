package platform_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/database"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

func TestHotelFaults(t *testing.T) {
	testkit.Databases(t, func(t *testing.T, db *database.DB) {
		b := bare(t, db)
		_, err := b.Hotel(b.ctx, b.admin)
		b.wantCode(err, platform.CodeHotelNotConfigured)
		b = setUp(t, db)
		if _, err := b.Hotel(b.ctx, access.Caller{}); err == nil {
			t.Error("a caller nobody authenticated may read the hotel")
		}
		_, err = b.CreateHotel(b.ctx, b.admin, platform.HotelParams{Name: "Second", TimeZone: "Asia/Bangkok", Currency: "THB"})
		b.wantCode(err, platform.CodeHotelExists)
		_, err = b.ResolveHotel(b.ctx, b.admin, "other")
		b.wantCode(err, platform.CodeHotelMismatch)
		_, err = b.Hotel(b.ctx, access.AsSystem("00000000-0000-7000-8000-000000000000", "test"))
		b.wantCode(err, platform.CodeHotelMismatch)
		for _, given := range []string{"", " ", b.hotel.ID} {
			got, err := b.ResolveHotel(b.ctx, b.admin, given)
			b.ok(err)
			if diff := cmp.Diff(b.hotel, got); diff != "" {
				t.Errorf("ResolveHotel(%q) (-want +got):\n%s", given, diff)
			}
		}
		insertHotel(b)
		_, err = b.Hotel(b.ctx, b.admin)
		b.wantCode(err, platform.CodeHotelAmbiguous)
	})
}

// insertHotel makes a second active hotel behind the service's back.
func insertHotel(b *bench) {
	b.t.Helper()
	_, err := b.db.Writer().ExecContext(b.ctx, `INSERT INTO platform_hotel (id, name, status, time_zone, currency, business_date, created_at)
 VALUES ('00000000-0000-7000-8000-000000000000', 'x', 'ACTIVE', 'UTC', 'THB', '2026-11-30', 1)`)
	b.ok(err)
}

func TestCreateHotelRefuses(t *testing.T) {
	b := bare(t, testkit.DB(t))
	hour := 24
	good := platform.HotelParams{Name: "H", TimeZone: "Asia/Bangkok", Currency: "THB"}
	for name, change := range map[string]func(*platform.HotelParams){
		"no name":       func(p *platform.HotelParams) { p.Name = " " },
		"name not text": func(p *platform.HotelParams) { p.Name = "a\xff" },
		"zone":          func(p *platform.HotelParams) { p.TimeZone = "Mars/Olympus" },
		"no zone":       func(p *platform.HotelParams) { p.TimeZone = "" },
		"local zone":    func(p *platform.HotelParams) { p.TimeZone = "Local" },
		"currency":      func(p *platform.HotelParams) { p.Currency = "B4T" },
		"date":          func(p *platform.HotelParams) { p.BusinessDate = "2026-02-30" },
		"hour":          func(p *platform.HotelParams) { p.RollHour = &hour },
	} {
		p := good
		change(&p)
		if _, err := b.CreateHotel(b.ctx, b.admin, p); err == nil {
			t.Errorf("%s: accepted", name)
		} else {
			b.wantCode(err, "invalid_arguments")
		}
	}
	h, err := b.CreateHotel(b.ctx, b.admin, good)
	b.ok(err)
	if h.BusinessDate != "2026-11-30" || h.RollHour != -1 {
		t.Errorf("defaults: %s, %d", h.BusinessDate, h.RollHour)
	}
}

func TestBusinessDate(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		at := func(s string) { b.now = must[time.Time](t)(time.Parse(time.RFC3339, s)) }
		for _, c := range []struct {
			now, want string
			rolled    bool
		}{
			{"2026-12-01T03:59:00+07:00", "2026-11-30", false}, // the roll hour is 4
			{"2026-12-01T04:00:00+07:00", "2026-12-01", true},
			{"2026-12-01T04:01:00+07:00", "2026-12-01", false},
			{"2026-12-04T01:00:00+07:00", "2026-12-03", true}, // the machine was off for days
		} {
			at(c.now)
			h, rolled, err := b.RollDue(b.ctx, b.admin)
			if err != nil || h.BusinessDate != c.want || rolled != c.rolled {
				t.Errorf("%s: %s %v %v, want %s %v", c.now, h.BusinessDate, rolled, err, c.want, c.rolled)
			}
		}
		must[platform.Hotel](t)(b.SetBusinessDate(b.ctx, b.admin, "2026-12-09"))
		must[platform.Hotel](t)(b.SetBusinessDate(b.ctx, b.admin, "2026-12-09")) // a double click
		must[platform.Hotel](t)(b.SetRollHour(b.ctx, b.admin, -1))
		at("2027-01-01T12:00:00+07:00")
		h, rolled, err := b.RollDue(b.ctx, b.admin)
		if err != nil || rolled || h.BusinessDate != "2026-12-09" {
			t.Errorf("by hand only: %v %v %v", h.BusinessDate, rolled, err)
		}
		want := []string{"hotel.create succeeded", "hotel.roll_business_date succeeded", "hotel.roll_business_date succeeded",
			"hotel.set_business_date succeeded", "hotel.set_roll_hour succeeded"}
		if diff := cmp.Diff(want, b.tools()); diff != "" {
			t.Errorf("audit (-want +got):\n%s", diff)
		}
		_, err = b.SetBusinessDate(b.ctx, b.admin, "2026-12-32")
		b.wantCode(err, "invalid_arguments")
	})
}

func TestOneReplicaRolls(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		b.now = b.now.AddDate(0, 0, 1)
		var wg sync.WaitGroup
		var mu sync.Mutex
		n := 0
		for range 8 {
			wg.Go(func() {
				_, rolled, err := b.RollDue(b.ctx, b.admin)
				mu.Lock()
				defer mu.Unlock()
				if err != nil {
					t.Error(err)
				}
				if rolled {
					n++
				}
			})
		}
		wg.Wait()
		if n != 1 {
			t.Errorf("%d of 8 rolled, want 1", n)
		}
	})
}

func TestCodeLists(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		var empty platform.CodeLists
		if known, loaded := empty.HasRoomType("DLXK"); known || loaded {
			t.Error("an empty list claims to be loaded")
		}
		b.ok(b.SetCodeLists(b.ctx, b.admin, platform.CodeLists{
			RoomTypes:   []platform.RoomType{{Code: " dlxk ", Name: "豪华大床", Capacity: 2}, {Code: "FAMS", Capacity: 4}},
			Departments: []platform.Code{{Code: "FO", Name: "Front office"}}}))
		b.ok(b.SetCodeLists(b.ctx, b.admin, platform.CodeLists{RateCodes: []platform.Code{{Code: "BARBB"}}, Departments: []platform.Code{}}))
		got := must[platform.CodeLists](t)(b.CodeLists(b.ctx, b.admin))
		want := platform.CodeLists{RoomTypes: []platform.RoomType{{Code: "DLXK", Name: "豪华大床", Capacity: 2}, {Code: "FAMS", Name: "FAMS", Capacity: 4}},
			RateCodes: []platform.Code{{Code: "BARBB", Name: "BARBB"}}}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		if known, loaded := got.HasRoomType("fams"); !known || !loaded {
			t.Errorf("fams: %v %v", known, loaded)
		}
		if known, loaded := got.HasRateCode("NOPE"); known || !loaded {
			t.Errorf("NOPE: %v %v", known, loaded)
		}
		if known, loaded := got.HasDepartment("FO"); known || loaded {
			t.Errorf("cleared list: %v %v", known, loaded)
		}
		if known, loaded := got.HasAccount("SUNWAL"); known || loaded {
			t.Errorf("list never set: %v %v", known, loaded)
		}
		b.wantCode(b.SetCodeLists(b.ctx, b.admin, platform.CodeLists{Accounts: []platform.Code{{Code: "a"}, {Code: " A"}}}), "invalid_arguments")
		b.wantCode(b.SetCodeLists(b.ctx, b.admin, platform.CodeLists{Accounts: []platform.Code{{}}}), "invalid_arguments")
	})
}

// Every administrative act needs its permission, and none of the others.
func TestDenied(t *testing.T) {
	b := setUp(t, testkit.DB(t))
	var z platform.StaffUpdate
	acts := map[access.Permission]map[string]func(access.Caller) error{
		access.HotelAdmin: {
			"CreateHotel":     func(by access.Caller) error { _, err := b.CreateHotel(b.ctx, by, platform.HotelParams{}); return err },
			"SetBusinessDate": func(by access.Caller) error { _, err := b.SetBusinessDate(b.ctx, by, ""); return err },
			"SetRollHour":     func(by access.Caller) error { _, err := b.SetRollHour(b.ctx, by, 99); return err },
			"UpdateHotel":     func(by access.Caller) error { _, err := b.UpdateHotel(b.ctx, by, platform.HotelUpdate{}); return err },
			"PutCode":         func(by access.Caller) error { return b.PutCode(b.ctx, by, "", platform.RoomType{}) },
			"DeleteCode":      func(by access.Caller) error { return b.DeleteCode(b.ctx, by, "", "") },
			"RollDue":         func(by access.Caller) error { _, _, err := b.RollDue(b.ctx, by); return err },
			"SetCodeLists":    func(by access.Caller) error { return b.SetCodeLists(b.ctx, by, platform.CodeLists{}) },
			"Prune":           func(by access.Caller) error { _, err := b.Prune(b.ctx, by); return err },
		},
		access.StaffAdmin: {
			"CreateStaff": func(by access.Caller) error { _, err := b.CreateStaff(b.ctx, by, platform.StaffParams{}); return err },
			"UpdateStaff": func(by access.Caller) error { _, err := b.UpdateStaff(b.ctx, by, z); return err },
			"ListStaff":   func(by access.Caller) error { _, err := b.ListStaff(b.ctx, by); return err },
			"CreateServiceAccount": func(by access.Caller) error {
				_, err := b.CreateServiceAccount(b.ctx, by, platform.AccountParams{})
				return err
			},
			"SetAccountStatus":    func(by access.Caller) error { return b.SetAccountStatus(b.ctx, by, "", "") },
			"ListServiceAccounts": func(by access.Caller) error { _, err := b.ListServiceAccounts(b.ctx, by); return err },
		},
		access.CredentialAdmin: {
			"IssueToken":       func(by access.Caller) error { _, err := b.IssueToken(b.ctx, by, platform.IssueParams{}); return err },
			"RotateToken":      func(by access.Caller) error { _, err := b.RotateToken(b.ctx, by, "", -1); return err },
			"RevokeCredential": func(by access.Caller) error { return b.RevokeCredential(b.ctx, by, "") },
			"ListCredentials":  func(by access.Caller) error { _, err := b.ListCredentials(b.ctx, by); return err },
			"CreatePartner": func(by access.Caller) error {
				_, _, err := b.CreatePartner(b.ctx, by, platform.PartnerParams{})
				return err
			},
			"RotatePartnerSecret": func(by access.Caller) error { _, err := b.RotatePartnerSecret(b.ctx, by, "", -1); return err },
			"SetPartnerStatus":    func(by access.Caller) error { return b.SetPartnerStatus(b.ctx, by, "", "") },
			"ListPartners":        func(by access.Caller) error { _, err := b.ListPartners(b.ctx, by); return err },
		},
		access.CardDecide: {
			"Colleagues": func(by access.Caller) error { _, err := b.Colleagues(b.ctx, by); return err },
		},
	}
	for p, list := range acts {
		others := slices.DeleteFunc(access.Scopes("hotel"), func(s string) bool { return s == p.Scope })
		for name, act := range list {
			viewer := access.Caller{HotelID: b.hotel.ID, Kind: access.Staff, SubjectID: "x", Role: access.RoleViewer}
			b.wantCode(act(viewer), access.CodePermission)
			narrow := access.Caller{HotelID: b.hotel.ID, Kind: access.Staff, SubjectID: "x", Role: access.RoleAdmin, Scopes: others}
			if f := b.wantCode(act(narrow), access.CodeScope); f.Details["required_scope"] != p.Scope {
				t.Errorf("%s asks for %v, want %s", name, f.Details, p.Scope)
			}
		}
	}
}
