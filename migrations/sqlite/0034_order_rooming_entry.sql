-- +goose Up
CREATE TABLE order_rooming_entry (
    id             TEXT NOT NULL PRIMARY KEY,
    hotel_id       TEXT NOT NULL,
    order_id       TEXT NOT NULL,
    card_id        TEXT NOT NULL,
    row_no         INTEGER NOT NULL,
    guest_name     TEXT NOT NULL,
    sharing_with   TEXT NOT NULL,
    room_type_code TEXT NOT NULL,
    arrival_date   TEXT NOT NULL,
    departure_date TEXT NOT NULL,
    remark         TEXT NOT NULL,
    status         TEXT NOT NULL, -- LISTED or REMOVED
    created_at     BIGINT NOT NULL
);
CREATE INDEX order_rooming_entry_order ON order_rooming_entry (order_id, status, row_no);
-- +goose Down
DROP TABLE order_rooming_entry;
