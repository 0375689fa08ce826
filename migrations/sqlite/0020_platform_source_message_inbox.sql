-- +goose Up
CREATE TABLE platform_source_message_inbox (
    id                TEXT    NOT NULL PRIMARY KEY,
    hotel_id          TEXT    NOT NULL,
    provider          TEXT    NOT NULL, -- AGENTBUS, OUTLOOK, IMPORT, ...
    channel           TEXT    NOT NULL, -- EMAIL, ...
    external_id       TEXT    NOT NULL,
    external_hash     TEXT    NOT NULL, -- SHA-256 of external_id: ids have no length limit, index columns do
    conversation_id   TEXT    NOT NULL, -- the source's, or the Message-ID of the thread's root
    conversation_hash TEXT    NOT NULL,
    header_message_id TEXT    NOT NULL,
    in_reply_to       TEXT    NOT NULL,
    reference_ids     TEXT    NOT NULL, -- JSON array, oldest first
    subject           TEXT    NOT NULL,
    sender_name       TEXT    NOT NULL,
    sender_email      TEXT    NOT NULL,
    recipients        TEXT    NOT NULL, -- JSON object of arrays: to, cc, reply_to
    sent_at           BIGINT,
    received_at       BIGINT  NOT NULL,
    raw_format        TEXT    NOT NULL, -- MAIL (RFC 5322 bytes) or BUS_JSON
    raw_size          BIGINT  NOT NULL,
    raw_sha256        TEXT    NOT NULL, -- the original's key in blob storage
    same_sha256       TEXT    NOT NULL, -- what a repeated delivery must equal: of the bytes, for JSON of its canonical form
    text_body         TEXT    NOT NULL,
    html_body         TEXT    NOT NULL, -- sanitised; the unsanitised one exists only in the original
    render_mode       TEXT    NOT NULL,
    flags             TEXT    NOT NULL, -- JSON array
    problem           TEXT    NOT NULL,
    search_text       TEXT    NOT NULL, -- lower-case subject, sender and ids
    created_at        BIGINT  NOT NULL
);
CREATE UNIQUE INDEX inbox_external ON platform_source_message_inbox (hotel_id, external_hash, provider, channel);
CREATE INDEX inbox_conversation ON platform_source_message_inbox (hotel_id, conversation_hash, provider, channel, received_at, id);
CREATE INDEX inbox_received ON platform_source_message_inbox (hotel_id, received_at, id);
-- +goose Down
DROP TABLE platform_source_message_inbox;
