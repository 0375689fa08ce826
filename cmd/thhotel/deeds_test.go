package main_test

import "thhotel/internal/access"

// deed is one card as a member of staff decides it: what the card shows before,
// what the order is afterwards.
type deed struct {
	mail  string // the last two digits of its message id
	event string
	nth   int // among the mail's cards of that type
	role  access.Role
	edit  map[string]string // corrected on the card first: field to value, by selector
	fill  map[string]string // what the dialog asks for
	twice bool              // the dialog asks a second time
	race  bool              // the form is sent twice at once instead of by the button
	shows []string          // on the card, before anything is decided
	key   [2]string         // how the agent finds the order afterwards
	after facts
	page  []string // on the order's page
}

// facts are what the agent sees of an order over MCP.
type facts struct {
	Name, Arrival, Departure, Rooms, Status string
	Version                                 int64 // also the number of its history entries
}

// deeds are the twelve demo mails in the order in which a desk would take them,
// with the outcome their description asks for. Mail 01 says "2027 group
// contract": the clerk enters its rates, against
// which the deposit is measured. Whom a penalty, an extra night or a guest in house
// concerns, the supervisor decides; money is for finance.
func deeds() []deed {
	const clerk, finance, supervisor = access.RoleAgent, access.RoleFinance, access.RoleSupervisor
	nordic, wang := [2]string{"group_code", "NORDIC0227"}, [2]string{"confirmation_number", "4032198"}
	block := func(rooms string, version int64) facts {
		return facts{"Nordic Choir Tour 2027", "2027-02-10", "2027-02-13", rooms, "TENTATIVE", version}
	}
	const full, reduced = "12 DLXT, 4 DLXK, 2 SUPT", "10 DLXT, 4 DLXK, 2 SUPT"
	return []deed{
		{mail: "01", event: "NEW_BOOKING", role: clerk, fill: map[string]string{"group_code": "NORDIC0227"}, key: nordic,
			edit:  map[string]string{"[aria-label$=' DLXT'][name='room.rate']": "2400", "[aria-label$=' DLXK'][name='room.rate']": "2400", "[aria-label$=' SUPT'][name='room.rate']": "2000"},
			shows: []string{"New order", "2027-01-11", "due 2026-12-07, percent 20", "2027-01-08", "All rules passed", "Set dinner for 34 pax"},
			after: block(full, 2), page: []string{"NORDIC0227", "SLT-27-0211", "18 room(s)", "Set dinner for 34 pax"}},
		{mail: "04", event: "NEW_BOOKING", role: clerk, fill: map[string]string{"confirmation_number": "4032198", "reservation_no": "720941"}, key: wang,
			shows: []string{"New order", "YT-88213", "王小明", "LI, HUA"},
			after: facts{"WANG, XIAOMING", "2027-01-20", "2027-01-23", "1 DLXK, 1 DLXT", "CONFIRMED", 2},
			page:  []string{"4032198", "720941", "YT-88213", "王小明", "Late arrival after 23:00"}},
		{mail: "03", event: "UPDATE_BOOKING", role: clerk, twice: true, key: nordic,
			shows: []string{"adults 34 → 30", "DLXT rooms 12 → 10", "already so"},
			after: block(reduced, 3), page: []string{"adults 34 → 30", "DLXT rooms 12 → 10"}},
		{mail: "05", event: "UPDATE_BOOKING", role: clerk, key: wang,
			shows: []string{"WANG, XIAOMIN", "王晓敏", "2027-01-24", "Quoted history"},
			after: facts{"WANG, XIAOMIN", "2027-01-20", "2027-01-24", "1 DLXK, 1 DLXT", "CONFIRMED", 3},
			page:  []string{"王晓敏", "departure 2027-01-23 → 2027-01-24"}},
		{mail: "05", event: "TRACE_RESERVATION_NOTES", role: clerk, key: wang,
			shows: []string{"Adds 2 trace(s)", "ALLERGY"},
			after: facts{"WANG, XIAOMIN", "2027-01-20", "2027-01-24", "1 DLXK, 1 DLXT", "CONFIRMED", 4},
			page:  []string{"Extra bed in the room of LI, HUA", "peanut allergy"}},
		{mail: "09", event: "TRACE_RESERVATION_NOTES", role: clerk, race: true, key: [2]string{"reservation_no", "720933"},
			shows: []string{"SRISUK, KAMONWAN", "Adds 4 trace(s)"},
			after: facts{"SRISUK, KAMONWAN", "2026-12-05", "2026-12-07", "1 DLXK", "CONFIRMED", 2},
			page:  []string{"High floor, king bed", "Honeymoon", "Husband has a seafood allergy", "Airport pick-up, flight ZX418"}},
		{mail: "12", event: "NEW_BOOKING", role: clerk, fill: map[string]string{"confirmation_number": "4032210"}, key: [2]string{"confirmation_number", "4032210"},
			shows: []string{"SW-551093", "MEYER, JONAS", "SUNWAL27"},
			after: facts{"MEYER, ANNA", "2027-01-14", "2027-01-21", "1 DLXK", "CONFIRMED", 2}, page: []string{"SUNWAL27 SunWal Tours 2027", "SW-551093"}},
		{mail: "12", event: "CANCEL_BOOKING", role: clerk, key: [2]string{"confirmation_number", "4031990"},
			shows: []string{"is cancelled already; nothing changes on it"},
			after: facts{"ROSSI, MARCO", "2026-12-22", "2026-12-29", "1 DLXT", "CANCELLED", 1}}, // no second step, no version, no history
		{mail: "03", event: "UPDATE_BOOKING", nth: 1, role: supervisor, key: nordic,
			shows: []string{"Lindqvist", "lies outside the block", "this guest only"},
			after: block(reduced, 4), page: []string{"Lindqvist, Erik: ", "2027-02-14", "the block itself stayed"}},
		{mail: "06", event: "CANCEL_BOOKING", role: supervisor, twice: true, key: [2]string{"confirmation_number", "4032077"},
			fill:  map[string]string{"reason": "Visa delayed; one night is due", "cancellation_number": "C-77120"},
			shows: []string{"7 days before arrival, else 1 night", "1 night(s) due", "waiver"},
			after: facts{"FINCH, DANIEL", "2026-12-02", "2026-12-05", "1 SUPK", "CANCELLED", 2},
			page:  []string{"C-77120", "Visa delayed; one night is due"}},
		{mail: "12", event: "UPDATE_BOOKING", role: supervisor, key: [2]string{"confirmation_number", "4032001"},
			shows: []string{"In house", "2026-12-18"},
			after: facts{"DUBOIS, CLAIRE", "2026-11-28", "2026-12-18", "1 DLXK", "IN_HOUSE", 2}, page: []string{"departure 2026-12-16 → 2026-12-18"}},
		{mail: "08", event: "PAYMENT", role: finance, twice: true, key: nordic,
			shows: []string{"25440.00 THB", "is what was due before the change", "FT26331-77120", "Remittance_NORDIC0227.pdf"},
			after: block(reduced, 5), page: []string{"25,440.00", "FT26331-77120", "Remittance"}},
		{mail: "02", event: "ROOMING_LIST", role: clerk, key: nordic,
			shows: []string{"NORDIC0227 Rooming List v1.csv", "The list has 12 DLXT, the block 10.", "departure 2027-02-14 is after block end 2027-02-13"},
			after: block(reduced, 7), page: []string{"Rooming list", "departure 2027-02-14 is after block end 2027-02-13", "Nut allergy: Moen, Liv"}},
	}
}
