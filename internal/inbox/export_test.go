package inbox

// SetWindow makes a page of a search look through few messages.
func (s *Service) SetWindow(n int) { s.window = n }
