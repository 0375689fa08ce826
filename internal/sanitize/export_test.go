package sanitize

// Work is how many comparisons and steps a document costs, for the tests that
// must not look at a clock.
func Work(src string) int {
	w := newWalker(flagSet{})
	w.readSheets(src)
	if w.sheet.totals {
		w.learnt = learn(src, w.sheet)
	}
	w.ground()
	w.run(src)
	return w.work + len(w.pieces)
}

// MostWork is where the walk gives up and says so.
const MostWork = maxWork
