package inbox

import (
	"bytes"
	"encoding/json"
	netmail "net/mail"
	"strings"

	"thhotel/internal/mail"
)

// busHeaders takes {"Name": "value"}, {"Name": ["value"]} and [{"name", "value"}].
type busHeaders map[string]string

func (h busHeaders) get(name string) string { return h[strings.ToLower(name)] }

// UnmarshalJSON implements json.Unmarshaler.
func (h *busHeaders) UnmarshalJSON(b []byte) error {
	out := busHeaders{}
	var list []struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	var object map[string]any
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		if err := json.Unmarshal(b, &list); err != nil {
			return err
		}
		for _, x := range list {
			if name := strings.ToLower(x.Name); out[name] == "" { // the topmost counts
				out[name] = x.Value
			}
		}
	} else if err := json.Unmarshal(b, &object); err != nil {
		return err
	}
	for name, v := range object {
		if many, ok := v.([]any); ok && len(many) > 0 {
			v = many[0]
		}
		if s, ok := v.(string); ok {
			out[strings.ToLower(name)] = s
		}
	}
	*h = out
	return nil
}

// busAddresses takes "Name <a@b>", {"name", "email"} and lists of both.
type busAddresses []mail.Address

// UnmarshalJSON implements json.Unmarshaler.
func (a *busAddresses) UnmarshalJSON(b []byte) error {
	switch first := bytes.TrimSpace(b); {
	case bytes.HasPrefix(first, []byte("[")):
		var list []busAddresses
		if err := json.Unmarshal(b, &list); err != nil {
			return err
		}
		*a = nil
		for _, one := range list {
			*a = append(*a, one...)
		}
		return nil
	case bytes.HasPrefix(first, []byte("{")):
		var o struct{ Name, Email, Address string }
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		*a = busAddresses{{Name: o.Name, Email: strings.TrimSpace(o.Email + o.Address)}}
		return nil
	}
	var s *string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	if s != nil {
		*a = parseAddresses(*s)
	}
	return nil
}

// parseAddresses never loses a sender: what is no address is kept as it stands.
func parseAddresses(s string) []mail.Address {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	list, err := netmail.ParseAddressList(s)
	if err != nil {
		return []mail.Address{{Email: s}}
	}
	out := make([]mail.Address, 0, len(list))
	for _, a := range list {
		out = append(out, mail.Address{Name: a.Name, Email: a.Address})
	}
	return out
}

// busRecipients takes a list, which means To, or {"to", "cc"}.
type busRecipients struct{ To, Cc busAddresses }

// UnmarshalJSON implements json.Unmarshaler.
func (r *busRecipients) UnmarshalJSON(b []byte) error {
	var keys map[string]json.RawMessage
	if json.Unmarshal(b, &keys) == nil && (keys["to"] != nil || keys["cc"] != nil) {
		var o struct{ To, Cc busAddresses }
		if err := json.Unmarshal(b, &o); err != nil {
			return err
		}
		*r = busRecipients(o)
		return nil
	}
	return json.Unmarshal(b, &r.To)
}

// busIDs takes a list of Message-IDs or a header's text.
type busIDs []string

// UnmarshalJSON implements json.Unmarshaler.
func (l *busIDs) UnmarshalJSON(b []byte) error {
	if bytes.HasPrefix(bytes.TrimSpace(b), []byte("[")) {
		return json.Unmarshal(b, (*[]string)(l))
	}
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return err
	}
	*l = headerIDs(s)
	return nil
}

// headerIDs parts the identifiers of a References header.
func headerIDs(s string) []string { return strings.Fields(strings.ReplaceAll(s, "><", "> <")) }
