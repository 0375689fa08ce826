-- +goose Up
CREATE TABLE inbox_attachment (
    message_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    position      INT NOT NULL,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attachment_id VARCHAR(200) NOT NULL,
    name          TEXT NOT NULL,
    content_type  TEXT NOT NULL,
    content_id    TEXT NOT NULL,
    inline_part   BOOLEAN NOT NULL,
    size          BIGINT NOT NULL,
    sha256        VARCHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (message_id, position),
    UNIQUE KEY inbox_attachment_id (message_id, attachment_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE inbox_attachment;
