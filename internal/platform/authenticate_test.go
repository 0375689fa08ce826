package platform_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/platform"
)

func TestToken(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		a := b.account("SuperAgent", access.RoleSuperAgent)
		tok := b.token(a.ID, access.SuperAgentScopes()...)
		if !strings.HasPrefix(tok.Token, "thh_") || len(tok.Token) != 47 || !strings.HasPrefix(tok.Token, tok.Prefix) || len(tok.Prefix) != 10 {
			t.Errorf("token %q, prefix %q", tok.Token, tok.Prefix)
		}
		cred := agent.Credential{Token: tok.Token, Audience: "/mcp"}
		got := must[access.Caller](t)(b.Authenticate(b.ctx, cred))
		want := access.Caller{HotelID: b.hotel.ID, Kind: access.Service, SubjectID: a.ID, Name: "superagent", Role: access.RoleSuperAgent,
			CredentialID: tok.ID, Scopes: access.SuperAgentScopes(), Lang: "zh"}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		for name, c := range map[string]struct {
			cred   agent.Credential
			reason string
		}{
			"none":      {agent.Credential{Audience: "/mcp"}, "MISSING"},
			"malformed": {agent.Credential{Token: "Bearer x", Audience: "/mcp"}, "UNKNOWN"},
			"unknown":   {agent.Credential{Token: "thh_" + strings.Repeat("A", 43), Audience: "/mcp"}, "UNKNOWN"},
			"not utf-8": {agent.Credential{Token: "thh_" + strings.Repeat("\xff", 43), Audience: "/mcp"}, "UNKNOWN"},
			"audience":  {agent.Credential{Token: tok.Token, Audience: "/desk"}, "AUDIENCE"},
			"none said": {agent.Credential{Token: tok.Token}, "AUDIENCE"},
			"session":   {agent.Credential{SessionID: "nope"}, "SESSION"},
			"account":   {agent.Credential{AccountID: "nope"}, "UNKNOWN"},
		} {
			_, err := b.Authenticate(b.ctx, c.cred)
			if f := b.wantCode(err, "unauthenticated"); f.Details["reason"] != c.reason {
				t.Errorf("%s: reason %v, want %s", name, f.Details["reason"], c.reason)
			}
		}
		var stored int
		b.ok(b.db.Reader().QueryRowContext(b.ctx, "SELECT COUNT(*) FROM platform_credential WHERE token_sha256 = ? OR prefix = ?", tok.Token, tok.Token).Scan(&stored))
		if stored != 0 {
			t.Error("the token itself is stored")
		}
	})
}

// What takes a right away bites on the very next call.
func TestNextCall(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		reason := func(cred agent.Credential, want string) {
			t.Helper()
			_, err := b.Authenticate(b.ctx, cred)
			if f := b.wantCode(err, "unauthenticated"); f.Details["reason"] != want {
				t.Errorf("reason %v, want %s", f.Details["reason"], want)
			}
		}
		a := b.account("bus", access.RoleMailBus)
		one := agent.Credential{Token: b.token(a.ID, access.MessageDeliver.Scope).Token, Audience: "/mcp"}
		must[access.Caller](t)(b.Authenticate(b.ctx, one))
		partner := agent.Credential{AccountID: a.ID}
		if by := must[access.Caller](t)(b.Authenticate(b.ctx, partner)); !by.Can(access.MessageDeliver) || by.Can(access.CaseRead) {
			t.Errorf("the partner's account has scopes %v", by.Scopes)
		}
		b.ok(b.SetAccountStatus(b.ctx, b.admin, a.ID, platform.Disabled))
		reason(one, "DISABLED")
		reason(partner, "DISABLED")
		b.ok(b.SetAccountStatus(b.ctx, b.admin, a.ID, platform.Active))
		must[access.Caller](t)(b.Authenticate(b.ctx, one))

		m := b.staff("malee", access.RoleSupervisor)
		two := b.token(m.ID, access.CardDecide.Scope, access.CardTakeOver.Scope)
		cred := agent.Credential{Token: two.Token, Audience: "https://hotel.example/mcp/"}
		if by := must[access.Caller](t)(b.Authenticate(b.ctx, cred)); !by.Can(access.CardTakeOver) || by.Can(access.OrderCorrect) {
			t.Errorf("role and scope: %+v", by)
		}
		lower := access.RoleAgent
		must[platform.Staff](t)(b.UpdateStaff(b.ctx, b.admin, platform.StaffUpdate{ID: m.ID, Role: &lower}))
		if by := must[access.Caller](t)(b.Authenticate(b.ctx, cred)); by.Can(access.CardTakeOver) || !by.Can(access.CardDecide) {
			t.Errorf("after the role was lowered: %+v", by)
		}
		b.ok(b.RevokeCredential(b.ctx, b.admin, two.ID))
		b.ok(b.RevokeCredential(b.ctx, b.admin, two.ID))
		reason(cred, "REVOKED")
		b.now = b.now.Add(platform.DefaultTTL)
		reason(one, "EXPIRED")
	})
}

func TestIssueRefuses(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		a := b.account("x", access.RoleSuperAgent)
		scopes := access.SuperAgentScopes()
		for name, c := range map[string]struct {
			p    platform.IssueParams
			code string
		}{
			"no scopes":     {platform.IssueParams{SubjectID: a.ID}, "invalid_arguments"},
			"unknown scope": {platform.IssueParams{SubjectID: a.ID, Scopes: []string{"hotel:everything"}}, "invalid_arguments"},
			"too long":      {platform.IssueParams{SubjectID: a.ID, Scopes: scopes, TTL: platform.MaxTTL + time.Second}, "invalid_arguments"},
			"backwards":     {platform.IssueParams{SubjectID: a.ID, Scopes: scopes, TTL: -1}, "invalid_arguments"},
			"audience":      {platform.IssueParams{SubjectID: a.ID, Scopes: scopes, Audience: "mcp"}, "invalid_arguments"},
			"nobody":        {platform.IssueParams{SubjectID: b.hotel.ID, Scopes: scopes}, "not_found"},
			"no id":         {platform.IssueParams{SubjectID: "\xff", Scopes: scopes}, "not_found"},
		} {
			if _, err := b.IssueToken(b.ctx, b.admin, c.p); err == nil {
				t.Errorf("%s: issued", name)
			} else {
				b.wantCode(err, c.code)
			}
		}
		// A scoped credential must not breed a stronger one.
		narrow := b.admin
		narrow.Scopes = []string{access.CredentialAdmin.Scope}
		_, err := b.IssueToken(b.ctx, narrow, platform.IssueParams{SubjectID: a.ID, Scopes: scopes})
		b.wantCode(err, access.CodeScope)
		b.ok(b.SetAccountStatus(b.ctx, b.admin, a.ID, platform.Disabled))
		_, err = b.IssueToken(b.ctx, b.admin, platform.IssueParams{SubjectID: a.ID, Scopes: scopes})
		b.wantCode(err, platform.CodeAccountDisabled)
	})
}

func TestRotateToken(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		a := b.account("x", access.RoleSuperAgent)
		old := b.token(a.ID, access.SuperAgentScopes()...)
		b.now = b.now.Add(24 * time.Hour)
		next := must[platform.Issued](t)(b.RotateToken(b.ctx, b.admin, old.ID, time.Hour))
		works := func(token string) bool {
			_, err := b.Authenticate(b.ctx, agent.Credential{Token: token, Audience: "/mcp"})
			return err == nil
		}
		if !works(old.Token) || !works(next.Token) {
			t.Error("both tokens hold while they overlap")
		}
		b.now = b.now.Add(time.Hour)
		if works(old.Token) || !works(next.Token) {
			t.Error("after the overlap only the new token holds")
		}
		if want := b.now.Add(-time.Hour).Add(platform.DefaultTTL); !next.ExpiresAt.Equal(want) {
			t.Errorf("the new token ends %v, want %v", next.ExpiresAt, want)
		}
		_, err := b.RotateToken(b.ctx, b.admin, old.ID, 0)
		b.wantCode(err, platform.CodeNotActive)
		_, err = b.RotateToken(b.ctx, b.admin, b.hotel.ID, 0)
		b.wantCode(err, "not_found")
		list := must[[]platform.Credential](t)(b.ListCredentials(b.ctx, b.admin))
		if len(list) != 2 || list[0].ID != next.ID || list[1].RotatedTo != next.ID || list[1].Active(b.now) || list[0].SubjectName != "x" {
			t.Errorf("listed %+v", list)
		}
	})
}

func TestScopesOfRoles(t *testing.T) {
	each(t, func(t *testing.T, b *bench) {
		if diff := cmp.Diff(access.SuperAgentScopes(), b.account("a", access.RoleSuperAgent).Scopes); diff != "" {
			t.Errorf("superagent (-want +got):\n%s", diff)
		}
		if diff := cmp.Diff([]string{access.MessageDeliver.Scope}, b.account("b", access.RoleMailBus).Scopes); diff != "" {
			t.Errorf("mail bus (-want +got):\n%s", diff)
		}
		_, err := b.CreateServiceAccount(b.ctx, b.admin, platform.AccountParams{Name: "A", Role: access.RoleOperaFeed})
		b.wantCode(err, platform.CodeNameTaken)
		_, err = b.CreateServiceAccount(b.ctx, b.admin, platform.AccountParams{Name: "c", Role: access.RoleSystem})
		b.wantCode(err, "invalid_arguments")
		if list := must[[]platform.Account](t)(b.ListServiceAccounts(b.ctx, b.admin)); len(list) != 2 || list[0].Name != "a" {
			t.Errorf("listed %+v", list)
		}
	})
}
