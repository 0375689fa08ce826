package order

import (
	"context"
	"slices"

	"thhotel/internal/access"
	"thhotel/internal/audit"
	"thhotel/internal/fault"
)

// routine are refusals that are steps of the work and no decision against anybody:
// the dialog asks for something more, or shows the newer state and asks again. A
// busy desk meets them all day; rows of them would bury those that matter.
var routine = []string{CodeCardStale, CodeOrderStale, CodeTickRequired, CodeSecondStep, CodeTargetRequired, CodeKeyRequired, CodeReasonRequired, CodeReasonUnknown}

// refusal writes the row of a staff action that was refused: no permission, a card
// that somebody else holds or has decided, a rule that says no. It stands, deferred,
// in the first line of every such use case. Renewing a claim is none: the page does
// that by itself, and the person is told by the page.
func (s *Service) refusal(ctx context.Context, by access.Caller, tool, kind, id string, err *error) {
	if *err != nil && slices.Contains(routine, fault.Code(*err)) {
		return
	}
	s.audit.Refused(ctx, by, audit.Act{Tool: tool, Owner: "order", ResourceType: kind, ResourceID: id}, err)
}
