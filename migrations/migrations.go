// Package migrations embeds the numbered SQL, one folder per engine with the
// same numbers in both. MySQL's DDL is not transactional, so a file there holds
// one statement; a file that failed half-way would otherwise run twice.
package migrations

import "embed"

// Files holds sqlite/ and mysql/.
//
//go:embed sqlite/*.sql mysql/*.sql
var Files embed.FS
