package platform_test

import (
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/platform"
)

func TestUpdateHotel(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		text := func(s string) *string { return &s }
		hour := func(n int) *int { return &n }
		got := must[platform.Hotel](t)(b.UpdateHotel(b.ctx, b.admin, platform.HotelUpdate{Name: text(" TH Riverside "), TimeZone: text("Asia/Shanghai"),
			Currency: text("cny"), BusinessDate: text("2026-12-01"), RollHour: hour(-1)}))
		want := platform.Hotel{ID: b.hotel.ID, Name: "TH Riverside", TimeZone: "Asia/Shanghai", Currency: "CNY", BusinessDate: "2026-12-01", RollHour: -1}
		for _, h := range []platform.Hotel{got, must[platform.Hotel](t)(b.Hotel(b.ctx, b.admin))} {
			if diff := cmp.Diff(want, h); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if h.Location().String() != "Asia/Shanghai" {
				t.Errorf("zone %s", h.Location())
			}
		}
		for name, p := range map[string]platform.HotelUpdate{
			"no name":  {Name: text(" ")},
			"zone":     {TimeZone: text("Mars/Olympus")},
			"currency": {Currency: text("B4T")},
			"date":     {BusinessDate: text("2026-02-30")},
			"no date":  {BusinessDate: text("")},
			"hour":     {RollHour: hour(24)},
			"one bad":  {Name: text("Other"), RollHour: hour(-2)},
		} {
			if _, err := b.UpdateHotel(b.ctx, b.admin, p); err == nil {
				t.Errorf("%s: accepted", name)
			} else {
				b.wantCode(err, "invalid_arguments")
			}
		}
		if diff := cmp.Diff(want, must[platform.Hotel](t)(b.Hotel(b.ctx, b.admin))); diff != "" {
			t.Errorf("a refused update changed something (-want +got):\n%s", diff)
		}
		must[platform.Hotel](t)(b.UpdateHotel(b.ctx, b.admin, platform.HotelUpdate{Name: text("TH Riverside")})) // the same again
		if diff := cmp.Diff([]string{"hotel.create succeeded", "hotel.update succeeded"}, b.tools()); diff != "" {
			t.Errorf("audit (-want +got):\n%s", diff)
		}
	})
}

func TestOneCode(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		b.ok(b.SetCodeLists(b.ctx, b.admin, platform.CodeLists{RoomTypes: []platform.RoomType{{Code: "DLXK", Capacity: 2}, {Code: "SUPT", Capacity: 2}}}))
		var wg sync.WaitGroup
		for _, code := range []string{"A", "B", "C", "D", "E"} { // people at the same moment
			wg.Go(func() {
				if err := b.PutCode(b.ctx, b.admin, "RATE_CODE", platform.RoomType{Code: code, Capacity: 9}); err != nil {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		b.ok(b.PutCode(b.ctx, b.admin, "ROOM_TYPE", platform.RoomType{Code: " dlxk", Name: "豪华大床", Capacity: 3}))
		b.ok(b.PutCode(b.ctx, b.admin, "ROOM_TYPE", platform.RoomType{Code: "FAMS", Capacity: 4}))
		b.ok(b.DeleteCode(b.ctx, b.admin, "ROOM_TYPE", "supt"))
		got := must[platform.CodeLists](t)(b.CodeLists(b.ctx, b.admin))
		want := []platform.RoomType{{Code: "DLXK", Name: "豪华大床", Capacity: 3}, {Code: "FAMS", Name: "FAMS", Capacity: 4}}
		if diff := cmp.Diff(want, got.RoomTypes); diff != "" {
			t.Errorf("room types (-want +got):\n%s", diff)
		}
		if len(got.RateCodes) != 5 {
			t.Errorf("rate codes %v, want five", got.RateCodes)
		}
		b.wantCode(b.DeleteCode(b.ctx, b.admin, "ROOM_TYPE", "SUPT"), "not_found")
		b.wantCode(b.DeleteCode(b.ctx, b.admin, "COLOUR", "SUPT"), "invalid_arguments")
		b.wantCode(b.PutCode(b.ctx, b.admin, "COLOUR", platform.RoomType{Code: "RED"}), "invalid_arguments")
		b.wantCode(b.PutCode(b.ctx, b.admin, "ACCOUNT", platform.RoomType{}), "invalid_arguments")
		viewer := access.Caller{HotelID: b.hotel.ID, Kind: access.Staff, SubjectID: "x", Role: access.RoleViewer}
		b.wantCode(b.PutCode(b.ctx, viewer, "ACCOUNT", platform.RoomType{Code: "X"}), access.CodePermission)
		b.wantCode(b.DeleteCode(b.ctx, viewer, "ACCOUNT", "X"), access.CodePermission)
	})
}

// TestAnotherReplica: what is changed through one instance bites on the next call
// of another on the same database, which keeps nothing of its own.
func TestAnotherReplica(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		other := bare(t, b.db)
		other.now = b.now
		m := b.staff("malee", access.RoleSupervisor)
		cred := agent.Credential{Token: b.token(m.ID, "hotel:case.read").Token, Audience: "/mcp"}
		by := must[access.Caller](t)(other.Authenticate(b.ctx, cred))
		if by.Role != access.RoleSupervisor {
			t.Fatalf("role %s", by.Role)
		}
		role, off, on := access.RoleViewer, platform.Disabled, platform.Active
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Role: &role}))
		if by := must[access.Caller](t)(other.Authenticate(b.ctx, cred)); by.Role != access.RoleViewer {
			t.Errorf("role %s on the other replica, want the lowered one", by.Role)
		}
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Status: &off}))
		_, err := other.Authenticate(b.ctx, cred)
		b.wantCode(err, "unauthenticated")
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Status: &on}))
		must[access.Caller](t)(other.Authenticate(b.ctx, cred))
		list := must[[]platform.Credential](t)(other.ListCredentials(b.ctx, b.admin))
		b.ok(b.RevokeCredential(b.ctx, b.admin, list[0].ID))
		_, err = other.Authenticate(b.ctx, cred)
		b.wantCode(err, "unauthenticated")
	})
}
