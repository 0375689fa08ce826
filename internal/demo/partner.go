package demo

import (
	"context"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/app"
	"thhotel/internal/platform"
)

// partner returns the demo partner with a fresh secret.
func partner(ctx context.Context, a *app.App, by access.Caller) (Partner, error) {
	subject, err := account(ctx, a, by, partnerName, access.RolePartner)
	if err != nil {
		return Partner{}, err
	}
	have, err := a.Platform.ListPartners(ctx, by)
	if err != nil {
		return Partner{}, err
	}
	if i := slices.IndexFunc(have, func(p platform.Partner) bool { return p.Name == partnerName }); i >= 0 {
		secret, err := a.Platform.RotatePartnerSecret(ctx, by, have[i].ID, 0)
		return Partner{ID: have[i].ID, Secret: secret}, err
	}
	id, secret, err := a.Platform.CreatePartner(ctx, by, platform.PartnerParams{Name: partnerName, AccountID: subject})
	return Partner{ID: id, Secret: secret}, err
}
