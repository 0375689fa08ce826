-- +goose Up
CREATE TABLE order_change (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_version BIGINT NOT NULL,
    card_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    action        VARCHAR(40) NOT NULL,
    before_json   MEDIUMTEXT NOT NULL,
    after_json    MEDIUMTEXT NOT NULL,
    reason        MEDIUMTEXT NOT NULL,
    summary       MEDIUMTEXT NOT NULL,
    summary_en    MEDIUMTEXT NOT NULL,
    by_id         VARCHAR(64) NOT NULL,
    by_name       VARCHAR(200) NOT NULL,
    created_at    BIGINT NOT NULL,
    KEY order_change_order (order_id, created_at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_change;
