-- +goose Up
CREATE TABLE order_search (
    kind   CHAR(1) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    token  VARCHAR(24) NOT NULL,
    row_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    PRIMARY KEY (kind, token, row_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_search;
