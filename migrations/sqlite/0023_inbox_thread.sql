-- +goose Up
CREATE TABLE inbox_thread (
    hotel_id          TEXT    NOT NULL,
    provider          TEXT    NOT NULL,
    channel           TEXT    NOT NULL,
    reference_hash    TEXT    NOT NULL, -- SHA-256 of a Message-ID that a mail has or refers to, here or missing
    conversation_id   TEXT    NOT NULL,
    conversation_hash TEXT    NOT NULL,
    given             BOOLEAN NOT NULL, -- the source named the conversation: it is never renamed
    PRIMARY KEY (hotel_id, provider, channel, reference_hash)
);
CREATE INDEX inbox_thread_conversation ON inbox_thread (hotel_id, conversation_hash);
CREATE INDEX inbox_thread_reference ON inbox_thread (hotel_id, reference_hash);
-- +goose Down
DROP TABLE inbox_thread;
