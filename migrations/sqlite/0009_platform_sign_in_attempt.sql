-- +goose Up
CREATE TABLE platform_sign_in_attempt (
    subject       TEXT NOT NULL PRIMARY KEY, -- sha256 of hotel and user name, or of the remote address
    hotel_id      TEXT NOT NULL,
    attempts      INTEGER NOT NULL,
    since         BIGINT NOT NULL, -- start of the counting window
    blocked_until BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE INDEX platform_sign_in_attempt_age ON platform_sign_in_attempt (updated_at);
-- +goose Down
DROP TABLE platform_sign_in_attempt;
