-- +goose Up
CREATE TABLE platform_session (
    id           TEXT NOT NULL PRIMARY KEY,
    hotel_id     TEXT NOT NULL,
    staff_id     TEXT NOT NULL,
    token_sha256 TEXT NOT NULL, -- of the cookie value
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL, -- slides while in use
    ends_at      BIGINT NOT NULL -- never beyond
);
CREATE UNIQUE INDEX platform_session_token ON platform_session (token_sha256);
CREATE INDEX platform_session_staff ON platform_session (staff_id);
CREATE INDEX platform_session_end ON platform_session (expires_at);
-- +goose Down
DROP TABLE platform_session;
