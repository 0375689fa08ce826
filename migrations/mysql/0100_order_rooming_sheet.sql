-- +goose Up
CREATE TABLE order_rooming_sheet (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attachment_id VARCHAR(200) NOT NULL,
    name          VARCHAR(255) NOT NULL,
    sole          BOOLEAN NOT NULL,
    content       MEDIUMTEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    UNIQUE KEY order_rooming_sheet_file (message_id, attachment_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_rooming_sheet;
