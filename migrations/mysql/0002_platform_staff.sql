-- +goose Up
CREATE TABLE platform_staff (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    username      VARCHAR(64) NOT NULL,
    password_hash VARCHAR(200) NOT NULL,
    name          VARCHAR(100) NOT NULL,
    role          VARCHAR(32) NOT NULL,
    lang          VARCHAR(8) NOT NULL,
    status        VARCHAR(16) NOT NULL,
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL,
    UNIQUE KEY platform_staff_username (hotel_id, username)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_staff;
