package platform

import (
	"context"
	"slices"
	"strings"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/database"
	"thhotel/internal/fault"
)

// Codes of accounts.
const (
	CodeNameTaken = "NAME_TAKEN"
	CodeLastAdmin = "LAST_ADMIN"
)

// Staff is a person's account.
type Staff struct {
	ID, HotelID, Username, Name string
	Role                        access.Role
	Lang                        string // "zh" or "en"
	Status                      Status
	CreatedAt, UpdatedAt        time.Time
}

// StaffParams describes a new account.
type StaffParams struct {
	Username, Password string
	Role               access.Role
	Name               string // default: the user name
	Lang               string // default: zh
}

// CreateStaff makes an account for a person.
func (s *Service) CreateStaff(ctx context.Context, by access.Caller, p StaffParams) (_ Staff, err error) {
	defer s.refusal(ctx, by, "staff.create", "staff", "", &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return Staff{}, err
	}
	m, err := s.newStaff(p)
	if err != nil {
		return Staff{}, err
	}
	hash, err := s.hashPassword(ctx, p.Password)
	if err != nil {
		return Staff{}, err
	}
	err = s.change(ctx, by, "staff.create", "staff", func(ctx context.Context, e *audit.Event) (err error) {
		if m.HotelID, err = s.hotelID(ctx, by); err != nil {
			return err
		}
		e.HotelID, e.ResourceID = m.HotelID, m.ID
		return nameTaken(s.store.createStaff(ctx, m, hash), m.Username)
	})
	return m, err
}

func (s *Service) newStaff(p StaffParams) (Staff, error) {
	now := s.clock.Now()
	m := Staff{ID: s.clock.NewID(), Username: username(p.Username), Name: strings.TrimSpace(p.Name), Role: p.Role, Lang: p.Lang,
		Status: Active, CreatedAt: now, UpdatedAt: now}
	if m.Name == "" {
		m.Name = strings.TrimSpace(p.Username)
	}
	if m.Lang == "" {
		m.Lang = "zh"
	}
	if !isText(m.Username, 64) || strings.ContainsFunc(m.Username, func(r rune) bool { return r <= ' ' || r == 0x7f }) {
		return m, invalid("/username", "用户名为 1 到 64 字节，不能含空白。", "a user name of 1 to 64 bytes without blanks")
	}
	if err := checkPassword(p.Password, m.Username); err != nil {
		return m, err
	}
	return m, checkStaff(m)
}

// username is how user names are stored and compared.
func username(name string) string { return strings.ToLower(strings.TrimSpace(name)) }

func checkStaff(m Staff) error {
	switch {
	case !slices.Contains(access.StaffRoles(), m.Role):
		return invalid("/role", "员工角色必须是 viewer、agent、finance、supervisor 或 admin。", "one of viewer, agent, finance, supervisor, admin")
	case !isText(m.Name, 100):
		return invalid("/name", "姓名为 1 到 100 字节。", "a name of 1 to 100 bytes")
	case m.Lang != "zh" && m.Lang != "en":
		return invalid("/lang", "语言必须是 zh 或 en。", "zh or en")
	case !m.Status.Known():
		return invalid("/status", "状态必须是 ACTIVE 或 DISABLED。", "ACTIVE or DISABLED")
	}
	return nil
}

func nameTaken(err error, name string) error {
	if database.IsDuplicate(err) {
		return fault.New(fault.Conflict, CodeNameTaken, "名称 "+name+" 已被使用，请换一个。", "The name "+name+" is taken. Choose another.")
	}
	return err
}

// StaffUpdate changes what is not nil.
type StaffUpdate struct {
	ID       string
	Role     *access.Role
	Name     *string
	Lang     *string
	Status   *Status
	Password *string
}

// UpdateStaff changes an account. A new password or a disabled account ends its
// sessions; the last active administrator can be neither disabled nor demoted.
func (s *Service) UpdateStaff(ctx context.Context, by access.Caller, p StaffUpdate) (_ Staff, err error) {
	defer s.refusal(ctx, by, "staff.update", "staff", p.ID, &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return Staff{}, err
	}
	hash, err := s.newHash(ctx, p.Password)
	if err != nil {
		return Staff{}, err
	}
	var m Staff
	err = s.change(ctx, by, "staff.update", "staff", func(ctx context.Context, e *audit.Event) (err error) {
		if m, err = s.lockedStaff(ctx, by, p.ID); err != nil {
			return err
		}
		e.HotelID, e.ResourceID = m.HotelID, m.ID
		before := m
		p.apply(&m)
		m.UpdatedAt = s.clock.Now()
		if err := s.checkUpdate(ctx, before, m, p); err != nil {
			return err
		}
		e.ArgsKeys = changed(map[string]bool{"role": m.Role != before.Role, "name": m.Name != before.Name, "lang": m.Lang != before.Lang,
			"status": m.Status != before.Status, "password": hash != ""})
		return s.writeStaff(ctx, m, hash)
	})
	return m, err
}

func (p StaffUpdate) apply(m *Staff) {
	set(&m.Role, p.Role)
	set(&m.Name, p.Name)
	set(&m.Lang, p.Lang)
	set(&m.Status, p.Status)
	m.Name = strings.TrimSpace(m.Name)
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

func (s *Service) newHash(ctx context.Context, password *string) (string, error) {
	if password == nil {
		return "", nil
	}
	if err := checkPassword(*password, ""); err != nil {
		return "", err
	}
	return s.hashPassword(ctx, *password)
}

// lockedStaff reads an account while nobody else can change accounts: two
// administrators must not demote each other at the same moment.
func (s *Service) lockedStaff(ctx context.Context, by access.Caller, id string) (Staff, error) {
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return Staff{}, err
	}
	if err := s.store.lockHotel(ctx, hotelID); err != nil {
		return Staff{}, err
	}
	m, found, err := s.store.staff(ctx, hotelID, id)
	if err == nil && !found {
		err = notFound("该员工账号", "staff account")
	}
	return m, err
}

func (s *Service) checkUpdate(ctx context.Context, before, after Staff, p StaffUpdate) error {
	if err := checkStaff(after); err != nil {
		return err
	}
	if p.Password != nil {
		if err := checkPassword(*p.Password, after.Username); err != nil {
			return err
		}
	}
	isAdmin := func(m Staff) bool { return m.Role == access.RoleAdmin && m.Status == Active }
	if !isAdmin(before) || isAdmin(after) {
		return nil
	}
	n, err := s.store.activeAdmins(ctx, before.HotelID)
	if err == nil && n <= 1 {
		err = fault.New(fault.Unprocessable, CodeLastAdmin, "这是最后一个启用的管理员账号，请先任命另一个管理员。",
			"This is the last active administrator. Appoint another one first.")
	}
	return err
}

func (s *Service) writeStaff(ctx context.Context, m Staff, hash string) error {
	if err := s.store.updateStaff(ctx, m, hash); err != nil {
		return err
	}
	if hash == "" && m.Status == Active {
		return nil
	}
	return s.store.endSessions(ctx, m.ID, "")
}

// ListStaff lists all accounts of people, by user name.
func (s *Service) ListStaff(ctx context.Context, by access.Caller) (_ []Staff, err error) {
	defer s.refusal(ctx, by, "staff.list", "staff", "", &err)
	if err := by.Require(access.StaffAdmin); err != nil {
		return nil, err
	}
	return s.listStaff(ctx, by)
}

func (s *Service) listStaff(ctx context.Context, by access.Caller) ([]Staff, error) {
	hotelID, err := s.hotelID(ctx, by)
	if err != nil {
		return nil, err
	}
	return s.store.listStaff(ctx, hotelID)
}

// Colleague is as much of an account as other staff need, to hand work over.
type Colleague struct {
	ID, Username, Name string
	Role               access.Role
}

// Colleagues lists the active people who may decide cards.
func (s *Service) Colleagues(ctx context.Context, by access.Caller) ([]Colleague, error) {
	if err := by.Require(access.CardDecide); err != nil {
		return nil, err
	}
	all, err := s.listStaff(ctx, by)
	var out []Colleague
	for _, m := range all {
		if m.Status == Active && m.Role.Grants(access.CardDecide.Action) {
			out = append(out, Colleague{m.ID, m.Username, m.Name, m.Role})
		}
	}
	return out, err
}
