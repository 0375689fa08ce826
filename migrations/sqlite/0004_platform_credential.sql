-- +goose Up
CREATE TABLE platform_credential (
    id           TEXT NOT NULL PRIMARY KEY,
    hotel_id     TEXT NOT NULL,
    token_sha256 TEXT NOT NULL, -- the token itself is shown once and never stored
    prefix       TEXT NOT NULL, -- for people to tell tokens apart
    subject_kind TEXT NOT NULL, -- STAFF or SERVICE
    subject_id   TEXT NOT NULL,
    name         TEXT NOT NULL, -- what it is for
    scopes       TEXT NOT NULL, -- space-separated
    audience     TEXT NOT NULL, -- path of the service it is good for
    created_by   TEXT NOT NULL, -- subject who issued it
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    revoked_at   BIGINT,
    rotated_to   TEXT -- the credential that replaces it
);
CREATE UNIQUE INDEX platform_credential_token ON platform_credential (token_sha256);
CREATE INDEX platform_credential_subject ON platform_credential (hotel_id, subject_id);
-- +goose Down
DROP TABLE platform_credential;
