-- +goose Up
-- How far the search index has followed: everything that changed before this
-- place is in it, what changed later is searched row by row.
CREATE TABLE order_search_state (
    hotel_id   TEXT   NOT NULL,
    kind       TEXT   NOT NULL,
    indexed_at BIGINT NOT NULL,
    row_id     TEXT   NOT NULL,
    PRIMARY KEY (hotel_id, kind)
);
-- +goose Down
DROP TABLE order_search_state;
