-- +goose Up
CREATE TABLE ai_transition_batch (
    id                  TEXT    NOT NULL PRIMARY KEY,
    hotel_id            TEXT    NOT NULL,
    message_id          TEXT    NOT NULL, -- platform_source_message_inbox.id
    external_message_id TEXT    NOT NULL,
    route_code          TEXT    NOT NULL DEFAULT '', -- S10, S99; '' for a normal package
    revision            INTEGER NOT NULL, -- 1, 2, … per source message
    package_sha256      TEXT    NOT NULL, -- of the canonical JSON (RFC 8785)
    package             TEXT    NOT NULL, -- as submitted, byte for byte
    package_size        INTEGER NOT NULL, -- bytes
    warnings            TEXT    NOT NULL,
    event_count         INTEGER NOT NULL,
    error_count         INTEGER NOT NULL, -- transitions with a contract error
    submitted_by        TEXT    NOT NULL,
    submitted_by_name   TEXT    NOT NULL,
    request_id          TEXT    NOT NULL,
    trace_id            TEXT    NOT NULL,
    created_at          BIGINT  NOT NULL,
    UNIQUE (message_id, package_sha256), -- the same package is one batch, under any race
    UNIQUE (message_id, revision)
);
CREATE INDEX ai_transition_batch_list ON ai_transition_batch (hotel_id, id);
-- +goose Down
DROP TABLE ai_transition_batch;
