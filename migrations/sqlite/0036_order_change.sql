-- +goose Up
CREATE TABLE order_change (
    id            TEXT NOT NULL PRIMARY KEY,
    hotel_id      TEXT NOT NULL,
    order_id      TEXT NOT NULL,
    order_version BIGINT NOT NULL, -- the version it led to
    card_id       TEXT NOT NULL,
    action        TEXT NOT NULL,
    before_json   TEXT NOT NULL,
    after_json    TEXT NOT NULL,
    reason        TEXT NOT NULL,
    summary       TEXT NOT NULL,
    summary_en    TEXT NOT NULL,
    by_id         TEXT NOT NULL,
    by_name       TEXT NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX order_change_order ON order_change (order_id, created_at, id);
-- +goose Down
DROP TABLE order_change;
