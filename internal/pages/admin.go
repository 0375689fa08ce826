package pages

import (
	"net/http"

	"github.com/gin-gonic/gin"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/httpd"
)

func (s *site) adminRoutes(r gin.IRouter) {
	r.GET("/admin", s.staff(adminHome))
	r.GET("/admin/tools", s.staff(tools))
	r.POST("/admin/tools/profile", s.staff(setProfile))
	r.POST("/admin/tools/switch", s.staff(setSwitch))
	r.GET("/admin/credentials", s.staff(credentials))
	r.POST("/admin/credentials", s.staff(issueCredential))
	r.POST("/admin/credentials/rotate", s.staff(rotateCredential))
	r.POST("/admin/credentials/revoke", s.staff(revokeCredential))
	r.GET("/admin/staff", s.staff(staffPage))
	r.POST("/admin/staff", s.staff(createStaff))
	r.POST("/admin/staff/update", s.staff(updateStaff))
	r.POST("/admin/staff/password", s.staff(resetPassword))
	r.GET("/admin/codes", s.staff(codesPage))
	r.POST("/admin/codes", s.staff(putCode))
	r.POST("/admin/codes/delete", s.staff(deleteCode))
	r.GET("/admin/hotel", s.staff(hotelPage))
	r.POST("/admin/hotel", s.staff(updateHotel))
	r.GET("/admin/audit", s.staff(auditList))
}

// adminSections are the tabs with what opens them, in order.
var adminSections = []struct{ path, needs string }{
	{"tools", "tools"}, {"credentials", "credentials"}, {"staff", "staff"}, {"codes", "hotel"}, {"hotel", "hotel"}, {"audit", "audit"},
}

// adminHome leads to the first section the person may see.
func adminHome(v *visit) error {
	for _, section := range adminSections {
		if v.Can(section.needs) {
			v.c.Redirect(http.StatusSeeOther, "/admin/"+section.path)
			return nil
		}
	}
	return v.By.Require(access.ToolAdmin)
}

// again is a section that comes back because a change in it was refused: it says
// why, and keeps what was typed. Empty, it is the section as it is.
type again struct {
	form
	Refused string
	status  int
}

// refusedAgain is for refusals that the person can put right in the same form;
// every other error has a page of its own.
func (v *visit) refusedAgain(err error) (again, error) {
	f := fault.As(err)
	switch f.Kind {
	case fault.Invalid, fault.Unprocessable, fault.Conflict:
		return again{form: v.refusedForm(f), Refused: f.Message(v.Lang), status: httpd.Status(f.Kind)}, nil
	case fault.Unauthenticated, fault.Forbidden, fault.NotFound, fault.TooLarge, fault.Limited, fault.Unavailable, fault.Internal:
	}
	return again{}, err
}

// section renders a tab with the status of what was refused in it, if anything was.
func (v *visit) section(page, title string, a again, data any) error {
	status := a.status
	if status == 0 {
		status = http.StatusOK
	}
	return v.render(status, page, "admin", title, data)
}
