-- +goose Up
CREATE TABLE inbox_text (
    message_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    folded     MEDIUMTEXT NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE inbox_text;
