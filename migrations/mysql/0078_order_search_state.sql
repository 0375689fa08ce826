-- +goose Up
CREATE TABLE order_search_state (
    hotel_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind       CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    indexed_at BIGINT NOT NULL,
    row_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (hotel_id, kind)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_search_state;
