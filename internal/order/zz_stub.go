package order

import (
	"context"
	"errors"

	"thhotel/internal/access"
)

var errStub = errors.New("not built yet")

// STUBS
func (s *Service) OpenManual(ctx context.Context, by access.Caller, p ManualParams) (string, error) {
	return "", errStub
}
func (s *Service) Correct(ctx context.Context, by access.Caller, p CorrectParams) (Record, error) {
	return Record{}, errStub
}
func (s *Service) ConfirmPayment(ctx context.Context, by access.Caller, paymentID string) (PaymentLine, error) {
	return PaymentLine{}, errStub
}
func (s *Service) LoadOrders(ctx context.Context, by access.Caller, records []Record) error {
	return errStub
}
func (s *Service) UpsertProjections(ctx context.Context, by access.Caller, ps []Projection) (int, error) {
	return 0, errStub
}
func (s *Service) HasProjection(ctx context.Context, by access.Caller, orderIDs []string) (map[string]bool, error) {
	return nil, errStub
}
func (s *Service) Accuracy(ctx context.Context, by access.Caller) ([]Figures, error) {
	return nil, errStub
}
