package platform_test

import (
	"context"
	"testing"

	"thhotel/internal/access"
	"thhotel/internal/agent"
	"thhotel/internal/audit"
	"thhotel/internal/platform"
	"thhotel/internal/testkit"
)

// What every call pays: the caller behind a token, and the hotel.
func BenchmarkAuthenticate(b *testing.B) {
	ctx, db, c := context.Background(), testkit.DB(b), testkit.Clock()
	s, by := platform.New(db, c, audit.New(db, c)), access.AsSystem("", "bench")
	if _, err := s.CreateHotel(ctx, by, platform.HotelParams{Name: "H", TimeZone: "Asia/Bangkok", Currency: "THB"}); err != nil {
		b.Fatal(err)
	}
	a, err := s.CreateServiceAccount(ctx, by, platform.AccountParams{Name: "a", Role: access.RoleSuperAgent})
	if err != nil {
		b.Fatal(err)
	}
	tok, err := s.IssueToken(ctx, by, platform.IssueParams{SubjectID: a.ID, Scopes: access.SuperAgentScopes()})
	if err != nil {
		b.Fatal(err)
	}
	cred := agent.Credential{Token: tok.Token, Audience: "/mcp"}
	b.Run("token", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Authenticate(ctx, cred); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("hotel", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := s.Hotel(ctx, by); err != nil {
				b.Fatal(err)
			}
		}
	})
}
