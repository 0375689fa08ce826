-- +goose Up
CREATE TABLE order_payment (
    id              CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    card_id         CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    account_code    VARCHAR(80) NOT NULL,
    kind            VARCHAR(40) NOT NULL,
    amount_minor    BIGINT NOT NULL,
    currency        CHAR(3) NOT NULL,
    method          VARCHAR(40) NOT NULL,
    value_date      VARCHAR(10) NOT NULL,
    bank_reference  VARCHAR(120) NOT NULL,
    proforma_number VARCHAR(80) NOT NULL,
    bank_account    VARCHAR(80) NOT NULL,
    status          VARCHAR(16) NOT NULL,
    confirmed_by    VARCHAR(200) NOT NULL,
    confirmed_at    BIGINT,
    version         BIGINT NOT NULL,
    created_at      BIGINT NOT NULL,
    KEY order_payment_order (order_id, created_at, id),
    KEY order_payment_reference (hotel_id, bank_reference),
    KEY order_payment_account (hotel_id, account_code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_payment;
