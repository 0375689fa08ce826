-- +goose Up
CREATE TABLE order_opera_projection (
    id                  TEXT NOT NULL PRIMARY KEY,
    hotel_id            TEXT NOT NULL,
    kind                TEXT NOT NULL, -- RESERVATION or BLOCK
    object_key          TEXT NOT NULL, -- block code, reservation number, else confirmation number
    group_code          TEXT NOT NULL,
    confirmation_number TEXT NOT NULL,
    reservation_no      TEXT NOT NULL,
    status              TEXT NOT NULL,
    arrival_date        TEXT NOT NULL,
    departure_date      TEXT NOT NULL,
    raw                 TEXT NOT NULL,
    as_of               BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL,
    UNIQUE (hotel_id, kind, object_key)
);
CREATE INDEX order_opera_projection_group ON order_opera_projection (hotel_id, group_code);
CREATE INDEX order_opera_projection_confirmation ON order_opera_projection (hotel_id, confirmation_number);
CREATE INDEX order_opera_projection_reservation ON order_opera_projection (hotel_id, reservation_no);
-- +goose Down
DROP TABLE order_opera_projection;
