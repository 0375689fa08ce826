-- +goose Up
CREATE TABLE order_notice (
    id                       TEXT NOT NULL PRIMARY KEY,
    hotel_id                 TEXT NOT NULL,
    batch_id                 TEXT NOT NULL,
    transition_id            TEXT NOT NULL,
    message_id               TEXT NOT NULL,
    external_message_id      TEXT NOT NULL,
    external_conversation_id TEXT NOT NULL,
    received_at              BIGINT,
    subject                  TEXT NOT NULL,
    sender_name              TEXT NOT NULL,
    sender_email             TEXT NOT NULL,
    route_code               TEXT NOT NULL,
    reasons                  TEXT NOT NULL,
    status                   TEXT NOT NULL,
    handled_by               TEXT NOT NULL,
    handled_at               BIGINT,
    handled_text             TEXT NOT NULL,
    card_id                  TEXT NOT NULL,
    version                  BIGINT NOT NULL,
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL
);
CREATE INDEX order_notice_status ON order_notice (hotel_id, status, created_at, id);
CREATE INDEX order_notice_created ON order_notice (hotel_id, created_at, id);
CREATE INDEX order_notice_message ON order_notice (message_id);
CREATE INDEX order_notice_updated ON order_notice (hotel_id, updated_at);
-- +goose Down
DROP TABLE order_notice;
