-- +goose Up
CREATE TABLE order_opera_projection (
    id                  CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    kind                VARCHAR(16) NOT NULL,
    object_key          VARCHAR(80) NOT NULL,
    group_code          VARCHAR(80) NOT NULL,
    confirmation_number VARCHAR(80) NOT NULL,
    reservation_no      VARCHAR(80) NOT NULL,
    status              VARCHAR(24) NOT NULL,
    arrival_date        VARCHAR(10) NOT NULL,
    departure_date      VARCHAR(10) NOT NULL,
    raw                 MEDIUMTEXT NOT NULL,
    as_of               BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    UNIQUE KEY order_opera_projection_key (hotel_id, kind, object_key),
    KEY order_opera_projection_group (hotel_id, group_code),
    KEY order_opera_projection_confirmation (hotel_id, confirmation_number),
    KEY order_opera_projection_reservation (hotel_id, reservation_no)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_opera_projection;
