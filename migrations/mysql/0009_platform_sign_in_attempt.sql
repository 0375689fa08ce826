-- +goose Up
CREATE TABLE platform_sign_in_attempt (
    subject       CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attempts      INT NOT NULL,
    since         BIGINT NOT NULL,
    blocked_until BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    KEY platform_sign_in_attempt_age (updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_sign_in_attempt;
