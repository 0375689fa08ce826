package agent

// WellFormed reports whether doc is one JSON value and nothing else: valid UTF-8
// inside and outside of escapes, no name given twice in an object, no number out
// of a float64's range, nested at most MaxDepth deep. It allocates nothing for
// documents of ordinary shape, so that doors can ask it first and look for the
// reason only when it says no.
func WellFormed(doc []byte) bool {
	p := scanner{doc: doc, limit: MaxDepth}
	return p.document(nil)
}
