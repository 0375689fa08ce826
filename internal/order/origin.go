package order

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"thhotel/internal/inbox"
)

// originOf keeps what rules need of the mail. The key counts as quoted only when
// it stands in the quoted part and nowhere in the new text, subject or attachments.
func originOf(e Event, f inbox.Facts) Origin {
	o := Origin{KnownAttachments: f.AttachmentIDs, SenderDomainNew: f.SenderDomainNew, SenderLookAlike: f.SenderLookAlike}
	if k := e.Target.LocatorValue; k != "" {
		o.KeyOnlyQuoted = !holdsKey(f.FreshText+"\n"+f.Subject, k) && holdsKey(f.QuotedText, k)
	}
	if e.Type == Payment {
		o.BankWords = newBankDetails(f.FreshText)
		o.BankDetailsChanged = len(o.BankWords) > 0
	}
	return o
}

// holdsKey finds a key as a word of its own, in any case and width: 403 does not
// stand in 4032077. Letters of other scripts may touch it, as they do in Chinese.
func holdsKey(text, k string) bool {
	text = strings.ToUpper(norm.NFKC.String(text))
	for from := 0; ; {
		i := strings.Index(text[from:], k)
		if i < 0 {
			return false
		}
		i += from
		end := i + len(k)
		if (i == 0 || !plainLetter(text[i-1])) && (end == len(text) || !plainLetter(text[end])) {
			return true
		}
		from = i + 1
	}
}

func plainLetter(b byte) bool { return b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' }

var (
	bankWords   = []string{"bank account", "bank detail", "banking detail", "iban", "beneficiary", "银行账户", "银行帐户", "收款账户", "账号", "帐号", "บัญชีธนาคาร", "เลขที่บัญชี"}
	changeWords = []string{"chang", "new ", "updated", "different", "更改", "变更", "更换", "新的", "新账", "เปลี่ยน", "ใหม่"}
)

// newBankDetails returns the usual words of invoice fraud, one of either kind, if
// the text has both. It only asks a person to check; it decides nothing.
func newBankDetails(text string) []string {
	t := strings.ToLower(norm.NFKC.String(text))
	first := func(words []string) string {
		i := slices.IndexFunc(words, func(w string) bool { return strings.Contains(t, w) })
		if i < 0 {
			return ""
		}
		return strings.TrimSpace(words[i])
	}
	change, bank := first(changeWords), first(bankWords)
	if change == "" || bank == "" {
		return nil
	}
	return []string{change, bank}
}
