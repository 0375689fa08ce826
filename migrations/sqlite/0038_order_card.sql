-- +goose Up
CREATE TABLE order_card (
    id                       TEXT NOT NULL PRIMARY KEY,
    hotel_id                 TEXT NOT NULL,
    task_id                  TEXT NOT NULL,
    batch_id                 TEXT NOT NULL,
    transition_id            TEXT NOT NULL,
    message_id               TEXT NOT NULL,
    external_message_id      TEXT NOT NULL,
    external_conversation_id TEXT NOT NULL,
    received_at              BIGINT,
    subject                  TEXT NOT NULL,
    sender_name              TEXT NOT NULL,
    sender_email             TEXT NOT NULL,
    event_type               TEXT NOT NULL,
    booking_type             TEXT NOT NULL,
    locator_type             TEXT NOT NULL,
    locator_value            TEXT NOT NULL,
    order_id                 TEXT NOT NULL, -- the one order it means; empty while unknown
    pinned                   BOOLEAN NOT NULL, -- a person chose the order
    status                   TEXT NOT NULL,
    is_open                  BOOLEAN NOT NULL,
    review                   BOOLEAN NOT NULL,
    touched                  BOOLEAN NOT NULL, -- somebody acted on it: a later revision leaves it
    mark                     TEXT NOT NULL,
    repeat_of                TEXT NOT NULL,
    event_json               TEXT NOT NULL,
    event_hash               TEXT NOT NULL,
    corrections              TEXT NOT NULL,
    origin                   TEXT NOT NULL, -- facts about the mail that rules need
    contract_errors          TEXT NOT NULL,
    flags                    TEXT NOT NULL, -- names of fired H and R rules
    base_json                TEXT NOT NULL, -- the order when the card was made
    base_version             BIGINT NOT NULL,
    account_code             TEXT NOT NULL,
    order_key                TEXT NOT NULL,
    guest_name               TEXT NOT NULL,
    arrival_date             TEXT NOT NULL,
    departure_date           TEXT NOT NULL,
    cutoff_date              TEXT NOT NULL,
    search_text              TEXT NOT NULL,
    owner_id                 TEXT NOT NULL,
    owner_name               TEXT NOT NULL,
    lease_until              BIGINT,
    due_at                   BIGINT NOT NULL,
    waiting_until            BIGINT,
    paused_at                BIGINT,
    outcome                  TEXT NOT NULL,
    reason_code              TEXT NOT NULL,
    reason                   TEXT NOT NULL,
    ticks                    TEXT NOT NULL,
    decided_by               TEXT NOT NULL,
    decided_name             TEXT NOT NULL,
    decided_at               BIGINT,
    decided_from             BIGINT NOT NULL, -- version the decision was made on
    notes                    TEXT NOT NULL,
    version                  BIGINT NOT NULL,
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL
);
CREATE INDEX order_card_due ON order_card (hotel_id, is_open, due_at, id);
CREATE INDEX order_card_review ON order_card (hotel_id, is_open, review, due_at, id);
CREATE INDEX order_card_status ON order_card (hotel_id, is_open, status, due_at, id);
CREATE INDEX order_card_owner ON order_card (hotel_id, is_open, owner_id, due_at, id);
CREATE INDEX order_card_arrival ON order_card (hotel_id, is_open, arrival_date, id);
CREATE INDEX order_card_cutoff ON order_card (hotel_id, is_open, cutoff_date, id);
CREATE INDEX order_card_newest ON order_card (hotel_id, is_open, created_at, id);
CREATE INDEX order_card_order ON order_card (order_id, is_open, created_at, id);
CREATE INDEX order_card_message ON order_card (message_id, received_at, created_at, id);
CREATE INDEX order_card_locator ON order_card (hotel_id, is_open, locator_type, locator_value);
CREATE INDEX order_card_updated ON order_card (hotel_id, updated_at);
CREATE INDEX order_card_task ON order_card (task_id);
-- +goose Down
DROP TABLE order_card;
