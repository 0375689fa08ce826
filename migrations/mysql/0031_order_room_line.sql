-- +goose Up
CREATE TABLE order_room_line (
    id             CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    line_no        INT NOT NULL,
    room_type_code VARCHAR(80) NOT NULL,
    room_count     INT NOT NULL,
    rate_minor     BIGINT,
    UNIQUE KEY order_room_line_type (order_id, room_type_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_room_line;
