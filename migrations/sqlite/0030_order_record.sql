-- +goose Up
CREATE TABLE order_record (
    id                  TEXT NOT NULL PRIMARY KEY,
    hotel_id            TEXT NOT NULL,
    booking_type        TEXT NOT NULL,
    group_code          TEXT NOT NULL, -- OPERA block code; not unique
    confirmation_number TEXT NOT NULL, -- legs of one trip share it
    reservation_no      TEXT NOT NULL,
    account_code        TEXT NOT NULL,
    external_reference  TEXT NOT NULL, -- the agent's own number
    guest_name          TEXT NOT NULL,
    group_name          TEXT NOT NULL,
    alternate_name      TEXT NOT NULL,
    arrival_date        TEXT NOT NULL,
    departure_date      TEXT NOT NULL,
    rate_code           TEXT NOT NULL,
    booking_scenario    TEXT NOT NULL,
    status              TEXT NOT NULL,
    adults              INTEGER,
    children            INTEGER,
    cutoff_date         TEXT NOT NULL,
    release_days        INTEGER,
    elastic             BOOLEAN NOT NULL,
    currency            TEXT NOT NULL,
    policy              TEXT NOT NULL, -- structured cancellation policy
    extra               TEXT NOT NULL, -- facts that have no column
    block_order_id      TEXT NOT NULL, -- of a reservation inside a block
    cancellation_number TEXT NOT NULL,
    cancellation_reason TEXT NOT NULL,
    source_message_id   TEXT NOT NULL, -- inbox id of the mail that made it
    search_text         TEXT NOT NULL, -- folded keys and names
    version             BIGINT NOT NULL,
    created_at          BIGINT NOT NULL,
    updated_at          BIGINT NOT NULL
);
CREATE INDEX order_record_group ON order_record (hotel_id, group_code);
CREATE INDEX order_record_confirmation ON order_record (hotel_id, confirmation_number);
CREATE INDEX order_record_reservation ON order_record (hotel_id, reservation_no);
CREATE INDEX order_record_reference ON order_record (hotel_id, external_reference);
CREATE INDEX order_record_account ON order_record (hotel_id, account_code, departure_date);
CREATE INDEX order_record_arrival ON order_record (hotel_id, arrival_date, id);
CREATE INDEX order_record_status ON order_record (hotel_id, status, arrival_date, id);
CREATE INDEX order_record_block ON order_record (block_order_id);
-- +goose Down
DROP TABLE order_record;
