package pages

import (
	"thhotel/internal/access"
	"thhotel/internal/platform"
)

type staffData struct {
	again
	List  []platform.Staff
	Roles []access.Role
	Shown *shownPassword
	Own   string // the reader's account
}

// shownPassword is a password on its only page.
type shownPassword struct{ Username, Password string }

// passwordBytes make 24 characters that nobody has to invent.
const passwordBytes = 18

func staffPage(v *visit) error { return v.showStaff(staffData{}) }

func (v *visit) showStaff(d staffData) error {
	var err error
	if d.List, err = v.s.o.Platform.ListStaff(v.c.Request.Context(), v.By); err != nil {
		return err
	}
	d.Roles, d.Own = access.StaffRoles(), v.By.SubjectID
	return v.section("admin_staff", v.T("admin.staff"), d.again, d)
}

func (v *visit) refusedStaff(err error) error {
	a, err := v.refusedAgain(err)
	if err != nil {
		return err
	}
	return v.showStaff(staffData{again: a})
}

// createStaff answers with the new password itself, which is shown this once.
func createStaff(v *visit) error {
	p := platform.StaffParams{Username: v.c.PostForm("username"), Name: v.c.PostForm("name"), Role: access.Role(v.c.PostForm("role")),
		Lang: v.c.PostForm("lang"), Password: v.s.o.Clock.Secret(passwordBytes)}
	m, err := v.s.o.Platform.CreateStaff(v.c.Request.Context(), v.By, p)
	if err != nil {
		return v.refusedStaff(err)
	}
	return v.showStaff(staffData{Shown: &shownPassword{m.Username, p.Password}})
}

// updateStaff changes what the form carries: a role, a status, or both.
func updateStaff(v *visit) error {
	p := platform.StaffUpdate{ID: v.c.PostForm("id")}
	if role, sent := v.c.GetPostForm("role"); sent {
		p.Role = new(access.Role(role))
	}
	if status, sent := v.c.GetPostForm("status"); sent {
		p.Status = new(platform.Status(status))
	}
	if _, err := v.s.o.Platform.UpdateStaff(v.c.Request.Context(), v.By, p); err != nil {
		return v.refusedStaff(err)
	}
	return v.done("/admin/staff", "done.saved")
}

// resetPassword ends the account's sessions and shows the new password this once.
func resetPassword(v *visit) error {
	password := v.s.o.Clock.Secret(passwordBytes)
	m, err := v.s.o.Platform.UpdateStaff(v.c.Request.Context(), v.By, platform.StaffUpdate{ID: v.c.PostForm("id"), Password: &password})
	if err != nil {
		return v.refusedStaff(err)
	}
	shown := &shownPassword{m.Username, password}
	if m.ID == v.By.SubjectID { // the reader's own session has just ended: there is no list to read any more
		return v.section("admin_staff", v.T("admin.staff"), again{}, staffData{Shown: shown})
	}
	return v.showStaff(staffData{Shown: shown})
}
