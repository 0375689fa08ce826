-- +goose Up
CREATE TABLE order_room_line (
    id             TEXT NOT NULL PRIMARY KEY,
    hotel_id       TEXT NOT NULL,
    order_id       TEXT NOT NULL,
    line_no        INTEGER NOT NULL,
    room_type_code TEXT NOT NULL,
    room_count     INTEGER NOT NULL,
    rate_minor     BIGINT, -- per room and night, in the currency of the order
    UNIQUE (order_id, room_type_code)
);
-- +goose Down
DROP TABLE order_room_line;
