package platform

import (
	"context"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
)

const (
	passwordMin = 10  // characters
	passwordMax = 200 // bytes: hashing must not be a way to keep the machine busy
)

// decoy is the hash of a password nobody has, with today's parameters: an
// unknown user name costs the same time as a known one.
const decoy = "$argon2id$v=19$m=19456,t=2,p=1$owEa+4dAlaOkFQY/LPqDmQ$USbiw2kDzDgFtMuU42410eb3he+F9Lwdrb0wxxnNoY4"

// params are OWASP's: 19 MiB, two passes, some 75 ms on a small machine.
func params() *argon2id.Params {
	return &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}
}

func checkPassword(password, username string) error {
	switch {
	case utf8.RuneCountInString(password) < passwordMin || len(password) > passwordMax:
		return invalid("/password", fmt.Sprintf("密码至少 %d 个字符，最多 %d 字节。", passwordMin, passwordMax),
			fmt.Sprintf("a password of at least %d characters and at most %d bytes", passwordMin, passwordMax))
	case username != "" && strings.Contains(strings.ToLower(password), strings.ToLower(username)):
		return invalid("/password", "密码不能包含用户名。", "a password that does not contain the user name")
	case strings.Count(password, password[:1]) == len(password):
		return invalid("/password", "密码不能是同一个字符的重复。", "a password that is not one character repeated")
	}
	return nil
}

func (s *Service) hashPassword(ctx context.Context, password string) (string, error) {
	if err := s.takeHashing(ctx); err != nil {
		return "", err
	}
	defer s.doneHashing()
	hash, err := argon2id.CreateHash(password, params())
	return hash, wrap("hash password", err)
}

func (s *Service) samePassword(ctx context.Context, password, hash string) (bool, error) {
	if len(password) > passwordMax {
		password = "" // nobody's, at the usual price
	}
	if err := s.takeHashing(ctx); err != nil {
		return false, err
	}
	defer s.doneHashing()
	same, err := argon2id.ComparePasswordAndHash(password, hash)
	return same, wrap("check password", err)
}

// takeHashing bounds memory: each hash takes 19 MiB while it runs.
func (s *Service) takeHashing(ctx context.Context) error {
	select {
	case s.hashing <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (s *Service) doneHashing() { <-s.hashing }
