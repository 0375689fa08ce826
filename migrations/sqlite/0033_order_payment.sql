-- +goose Up
CREATE TABLE order_payment (
    id              TEXT NOT NULL PRIMARY KEY,
    hotel_id        TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    card_id         TEXT NOT NULL,
    account_code    TEXT NOT NULL, -- of the order when it was advised
    kind            TEXT NOT NULL,
    amount_minor    BIGINT NOT NULL,
    currency        TEXT NOT NULL,
    method          TEXT NOT NULL,
    value_date      TEXT NOT NULL,
    bank_reference  TEXT NOT NULL,
    proforma_number TEXT NOT NULL,
    bank_account    TEXT NOT NULL,
    status          TEXT NOT NULL, -- ADVISED is evidence, CONFIRMED is money
    confirmed_by    TEXT NOT NULL,
    confirmed_at    BIGINT,
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL
);
CREATE INDEX order_payment_order ON order_payment (order_id, created_at, id);
CREATE INDEX order_payment_reference ON order_payment (hotel_id, bank_reference);
CREATE INDEX order_payment_account ON order_payment (hotel_id, account_code);
-- +goose Down
DROP TABLE order_payment;
