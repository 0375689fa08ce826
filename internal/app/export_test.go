package app

// For tests of what cannot be brought about: a full disk, a clock that is off.
var (
	EnoughSpace = enoughSpace
	Tolerable   = tolerable
)
