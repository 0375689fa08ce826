-- +goose Up
CREATE TABLE order_voucher (
    id            TEXT NOT NULL PRIMARY KEY,
    hotel_id      TEXT NOT NULL,
    order_id      TEXT NOT NULL,
    card_id       TEXT NOT NULL,
    kind          TEXT NOT NULL,
    message_id    TEXT NOT NULL,
    attachment_id TEXT NOT NULL,
    summary       TEXT NOT NULL,
    discrepancies TEXT NOT NULL,
    created_at    BIGINT NOT NULL
);
CREATE INDEX order_voucher_order ON order_voucher (order_id, created_at, id);
-- +goose Down
DROP TABLE order_voucher;
