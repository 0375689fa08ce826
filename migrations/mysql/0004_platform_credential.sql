-- +goose Up
CREATE TABLE platform_credential (
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    prefix       VARCHAR(16) NOT NULL,
    subject_kind VARCHAR(16) NOT NULL,
    subject_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    name         VARCHAR(100) NOT NULL,
    scopes       VARCHAR(2000) NOT NULL,
    audience     VARCHAR(200) NOT NULL,
    created_by   VARCHAR(64) NOT NULL,
    created_at   BIGINT NOT NULL,
    expires_at   BIGINT NOT NULL,
    revoked_at   BIGINT,
    rotated_to   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin,
    UNIQUE KEY platform_credential_token (token_sha256),
    KEY platform_credential_subject (hotel_id, subject_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_credential;
