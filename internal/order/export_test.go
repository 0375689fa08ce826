package order

// Tokens are the words that a text is found by.
func Tokens(text string) []string { return tokens(text) }

// Bounds of tokens.
const (
	LongestToken = longestToken
	MostTokens   = mostTokens
)
