-- +goose Up
CREATE TABLE platform_session (
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    staff_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    ends_at      BIGINT NOT NULL,
    UNIQUE KEY platform_session_token (token_sha256),
    KEY platform_session_staff (staff_id),
    KEY platform_session_end (expires_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_session;
