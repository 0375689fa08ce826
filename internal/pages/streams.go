package pages

import "sync"

// streams counts the open ones of this process. It bounds what this process
// spends; what the streams tell is in the database alone.
type streams struct {
	mu      sync.Mutex
	all     int
	session map[string]int
}

// enter takes a place, or refuses. leave gives it back.
func (s *streams) enter(session string, l Live) (leave func(), err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.session == nil {
		s.session = map[string]int{}
	}
	if s.all >= l.Most || s.session[session] >= l.Session {
		return nil, errManyStreams
	}
	s.all++
	s.session[session]++
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.all--
		if s.session[session]--; s.session[session] <= 0 {
			delete(s.session, session)
		}
	}, nil
}
