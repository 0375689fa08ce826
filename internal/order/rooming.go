package order

import "thhotel/internal/fault"

// RoomingSheet is what was read of a rooming list's file, before it is compared
// with any order: it is stored once, so that what a person saw is what is written.
type RoomingSheet struct {
	AttachmentID string       `json:"attachment_id"`
	Name         string       `json:"name"`
	Format       string       `json:"format,omitempty"`
	Lines        []SheetLine  `json:"lines,omitempty"`
	Columns      []string     `json:"columns,omitempty"` // what was understood, "Room Type → room_type"
	Unused       []string     `json:"unused,omitempty"`  // columns nobody asked for, such as passports: they stay in the file
	Skipped      []string     `json:"skipped,omitempty"` // sheets without a list
	Truncated    bool         `json:"truncated,omitempty"`
	Problem      *RoomingNote `json:"problem,omitempty"` // why there are no lines
}

// Kinds of lines.
const (
	LineGuest  = "GUEST"
	LineUnread = "UNREAD" // something stands there and no guest could be read
	LineNote   = "NOTE"   // a title, a total, the header again
)

// SheetLine is one line of the file. None is dropped but empty ones.
type SheetLine struct {
	Sheet  string        `json:"sheet,omitempty"`
	Line   int           `json:"line"` // in its sheet, from 1
	Kind   string        `json:"kind"`
	Text   string        `json:"text"` // the line as written
	Names  []string      `json:"names,omitempty"`
	Room   string        `json:"room,omitempty"` // lines with the same one share a room
	Shares string        `json:"shares,omitempty"`
	Type   string        `json:"type,omitempty"` // as written
	Rooms  int           `json:"rooms,omitempty"`
	Adults *int          `json:"adults,omitempty"`
	Child  *int          `json:"children,omitempty"`
	Dates  [2]sheetDate  `json:"dates"`
	Nights int           `json:"nights,omitempty"`
	Remark string        `json:"remark,omitempty"`
	Issues []RoomingNote `json:"issues,omitempty"`
}

// RoomingNote is something to look at, in both languages.
type RoomingNote struct {
	Code   string `json:"code"`
	Text   string `json:"message"`
	TextEN string `json:"message_en"`
}

// Codes of notes.
const (
	NoteNoName        = "NO_NAME"
	NoteNameOrder     = "NAME_ORDER"    // which part is the surname was guessed
	NoteNoFirstName   = "NO_FIRST_NAME" // only a surname
	NoteDuplicate     = "DUPLICATE_NAME"
	NoteDate          = "DATE_UNREADABLE"
	NoteDateAmbiguous = "DATE_AMBIGUOUS"
	NoteDatesOrder    = "DATES_ORDER"
	NoteOutside       = "OUTSIDE_DATES"
	NoteType          = "ROOM_TYPE_UNKNOWN"
	NoteTypeAmbiguous = "ROOM_TYPE_AMBIGUOUS"
	NoteNotInBlock    = "ROOM_TYPE_NOT_IN_BLOCK"
	NoteOnlyName      = "ONLY_A_NAME"
	NoteManyRooms     = "SEVERAL_ROOMS"
	NoteFormula       = "FORMULA"
	NoteHidden        = "HIDDEN_ROW"
	NoteNoHeader      = "NO_HEADER"
	NoteNothing       = "NO_ROWS"
	NoteNotDelivered  = "NOT_DELIVERED"
)

// RoomingView is a card's rooming list against the block, for people.
type RoomingView struct {
	Source    string   // where the rows are from: PACKAGE, ATTACHMENT, CORRECTION, or "" for nowhere
	Files     []string // names of the files that were read
	Mode      string   // REPLACE or ADD
	Lines     []RoomingLine
	Nights    []RoomingNight // per room type and night, in order
	Rooms     int            // of the list
	Guests    int
	Unread    int // lines that need a person
	Doubtful  int // lines that were read and have notes
	Columns   []string
	Unused    []string
	Skipped   []string
	Truncated bool
	Problems  []RoomingNote // why a file was not read
}

// Where a list's rows come from.
const (
	RowsPackage    = "PACKAGE"
	RowsAttachment = "ATTACHMENT"
	RowsCorrection = "CORRECTION"
)

// Line states.
const (
	RowOK     = "OK"
	RowCheck  = "CHECK"  // read, and something about it needs a look
	RowUnread = "UNREAD" // not imported
	RowNote   = "NOTE"   // no guest: a title or a total
)

// RoomingLine is one guest, or one line that is none.
type RoomingLine struct {
	RoomingRow
	Sheet       string
	State       string
	TypeWritten string // the room type as the file says it
	Text        string // the whole line, of one that is not imported
	Notes       []RoomingNote
}

// Night states.
const (
	NightEqual   = "EQUAL"
	NightOver    = "OVER"
	NightShort   = "SHORT"
	NightOutside = "OUTSIDE" // before or after the block
)

// RoomingNight compares one room type on one night.
type RoomingNight struct {
	Date         string
	RoomTypeCode string
	RoomTypeName string
	Need         int // rooms the list asks for, and with ADD those already listed
	Block        int
	State        string
}

func noteOf(code, zh, en string) RoomingNote { return RoomingNote{code, zh, en} }

// noteFrom tells a fault in the words of the list.
func noteFrom(f *fault.Error) *RoomingNote {
	return &RoomingNote{Code: f.Code, Text: f.Text, TextEN: f.TextEN}
}
