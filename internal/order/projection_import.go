package order

import (
	"context"
	"errors"
	"time"

	"thhotel/internal/access"
	"thhotel/internal/fault"
	"thhotel/internal/sheet"
)

// ImportOptions are how a report is taken in.
type ImportOptions struct {
	DryRun bool      // report what would happen, keep nothing
	AsOf   time.Time // when rows that do not say were true; zero: now
}

// ProjectionReport says what became of every row of a report.
type ProjectionReport struct {
	Rows     int             `json:"rows"`
	Stored   int             `json:"stored"`
	Older    int             `json:"not_newer"` // OPERA's newer or same word is known already
	Failed   []ProjectionRow `json:"failed"`
	Unknown  []ProjectionRow `json:"unknown_status"` // stored, and compared with nothing
	DryRun   bool            `json:"dry_run"`
	Complete bool            `json:"complete"` // false: the file was longer than is read
}

// ProjectionRow is a row that needs a look. Line counts from 1 in the file.
type ProjectionRow struct {
	Line       int               `json:"line"`
	Key        string            `json:"key,omitempty"`
	Status     string            `json:"status,omitempty"`
	Violations []fault.Violation `json:"violations,omitempty"`
}

// errDryRun takes everything back.
var errDryRun = errors.New("dry run")

// ImportProjections takes OPERA's report as a CSV or XLSX file: good rows are
// stored, the others reported. All good rows commit together; importing the same
// file again changes nothing.
func (s *Service) ImportProjections(ctx context.Context, by access.Caller, file []byte, o ImportOptions) (ProjectionReport, error) {
	if err := by.Require(access.ProjectionWrite); err != nil {
		return ProjectionReport{}, err
	}
	in, err := s.setting(ctx, by)
	if err != nil {
		return ProjectionReport{}, err
	}
	lines, report, err := s.readReport(in, file, o)
	if err != nil {
		return report, err
	}
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		report.Stored, report.Older = 0, 0
		for _, l := range lines {
			fresh, err := s.store.putProjection(ctx, s.projectionRow(in, l.p))
			switch {
			case err != nil:
				return err
			case fresh:
				report.Stored++
			default:
				report.Older++
			}
		}
		if o.DryRun {
			return errDryRun
		}
		return s.note(ctx, by, "projection.import", "hotel", in.hotel.ID)
	})
	if errors.Is(err, errDryRun) {
		err = nil
	}
	return report, err
}

// reportLimits let a whole house's report in.
func reportLimits() sheet.Limits {
	l := sheet.DefaultLimits()
	l.MaxRows, l.MaxCells = 50_000, 2_000_000
	return l
}

// readReport checks every row; those in order are returned.
func (s *Service) readReport(in setting, file []byte, o ImportOptions) ([]projectionLine, ProjectionReport, error) {
	report := ProjectionReport{DryRun: o.DryRun, Failed: []ProjectionRow{}, Unknown: []ProjectionRow{}}
	book, err := sheet.Read(file, reportLimits())
	var refusal *sheet.Refusal
	if errors.As(err, &refusal) {
		return nil, report, fault.New(fault.Unprocessable, refusal.Code, refusal.Text, refusal.TextEN).Because(err)
	}
	zone, err := time.LoadLocation(in.hotel.TimeZone)
	if err != nil {
		return nil, report, wrap("time zone", err)
	}
	if o.AsOf.IsZero() {
		o.AsOf = s.clock.Now()
	}
	report.Complete = !book.Truncated
	var good []projectionLine
	found := false
	for _, t := range book.Tables {
		lines, ok := readProjections(t, o.AsOf, zone)
		found = found || ok
		for _, l := range lines {
			report.Rows++
			if l.faults = append(l.faults, l.p.faults(s.clock.Now())...); len(l.faults) > 0 {
				report.Failed = append(report.Failed, ProjectionRow{Line: l.line, Key: projectionKey(l.p), Violations: l.faults})
				continue
			}
			if OperaStatus(l.p.Status) == "" {
				report.Unknown = append(report.Unknown, ProjectionRow{Line: l.line, Key: projectionKey(l.p), Status: l.p.Status})
			}
			good = append(good, l)
		}
	}
	if !found {
		return nil, report, invalid("", "找不到表头：需要 group_code、confirmation_number 或 reservation_no 之一，以及 status 或 arrival_date。",
			"no header row: a column of group_code, confirmation_number or reservation_no, and one of status or arrival_date")
	}
	return good, report, nil
}
