package platform_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/platform"
)

// refusals lists the audited refusals, oldest first, as "tool status code resource".
func (b *bench) refusals() []string {
	b.t.Helper()
	list, _, err := b.log.List(b.ctx, audit.Filter{HotelID: b.hotel.ID, Limit: 500})
	b.ok(err)
	var out []string
	for _, e := range slices.Backward(list) {
		if e.Status == audit.Denied || e.Status == audit.Failed {
			out = append(out, e.Tool+" "+string(e.Status)+" "+e.ErrorCode)
		}
	}
	return out
}

// TestRefusedActsAreAudited: a denied, impossible or lost administrative act
// leaves a row of its own although its transaction wrote nothing; a mistake in what
// was typed does not.
func TestRefusedActsAreAudited(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		boss := b.staff("boss", access.RoleAdmin)
		viewer := access.Caller{HotelID: b.hotel.ID, Kind: access.Staff, SubjectID: "v", Name: "nok", Role: access.RoleViewer}
		off, nobody := platform.Disabled, platform.Status("GONE")
		_, _ = b.UpdateStaff(b.ctx, viewer, platform.StaffUpdate{ID: boss.ID, Status: &off})
		_, _ = b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: boss.ID, Status: &off})
		_, _ = b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: boss.ID, Status: &nobody})
		_, _ = b.CreateStaff(b.ctx, b.admin, platform.StaffParams{Username: "BOSS", Password: password, Role: access.RoleAgent})
		_, _ = b.IssueToken(b.ctx, viewer, platform.IssueParams{SubjectID: boss.ID, Scopes: []string{"hotel:case.read"}})
		_, _ = b.ListCredentials(b.ctx, viewer)
		_ = b.RevokeCredential(b.ctx, b.admin, b.hotel.ID)
		_, _ = b.RotatePartnerSecret(b.ctx, b.admin, b.hotel.ID, 0)
		_, _ = b.UpdateHotel(b.ctx, viewer, platform.HotelUpdate{})
		_ = b.DeleteCode(b.ctx, b.admin, "RATE_CODE", "NOPE")
		want := []string{"staff.update denied permission_denied", "staff.update failed LAST_ADMIN", "staff.create failed NAME_TAKEN",
			"credential.issue denied permission_denied", "credential.list denied permission_denied", "credential.revoke failed not_found",
			"partner.rotate_secret failed not_found", "hotel.update denied permission_denied", "hotel.delete_code failed not_found"}
		if diff := cmp.Diff(want, b.refusals()); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}

// TestUpdatesNameWhatChanged: the row says which fields, never their values.
func TestUpdatesNameWhatChanged(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		m := b.staff("malee", access.RoleAgent)
		role, reset, name := access.RoleSupervisor, "a third good one", "Secret Name"
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Role: &role, Password: &reset}))
		must[platform.Hotel](t)(b.UpdateHotel(b.ctx, b.admin, platform.HotelUpdate{Name: &name}))
		list, _, err := b.log.List(b.ctx, audit.Filter{HotelID: b.hotel.ID, Limit: 2})
		b.ok(err)
		if list[0].Tool != "hotel.update" || list[0].ArgsKeys != "name" || list[1].Tool != "staff.update" || list[1].ArgsKeys != "password,role" {
			t.Errorf("rows %+v", list)
		}
	})
}
