-- +goose Up
CREATE TABLE order_voucher (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    card_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind          VARCHAR(24) NOT NULL,
    message_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attachment_id VARCHAR(200) NOT NULL,
    summary       MEDIUMTEXT NOT NULL,
    discrepancies MEDIUMTEXT NOT NULL,
    created_at    BIGINT NOT NULL,
    KEY order_voucher_order (order_id, created_at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_voucher;
