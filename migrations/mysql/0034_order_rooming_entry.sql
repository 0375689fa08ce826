-- +goose Up
CREATE TABLE order_rooming_entry (
    id             CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    card_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    row_no         INT NOT NULL,
    guest_name     VARCHAR(200) NOT NULL,
    sharing_with   VARCHAR(200) NOT NULL,
    room_type_code VARCHAR(80) NOT NULL,
    arrival_date   VARCHAR(10) NOT NULL,
    departure_date VARCHAR(10) NOT NULL,
    remark         VARCHAR(500) NOT NULL,
    status         VARCHAR(16) NOT NULL,
    created_at     BIGINT NOT NULL,
    KEY order_rooming_entry_order (order_id, status, row_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_rooming_entry;
