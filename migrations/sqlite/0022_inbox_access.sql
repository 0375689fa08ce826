-- +goose Up
CREATE TABLE inbox_access (
    id            TEXT   NOT NULL PRIMARY KEY,
    hotel_id      TEXT   NOT NULL,
    message_id    TEXT   NOT NULL,
    what          TEXT   NOT NULL, -- BODY, ORIGINAL, ATTACHMENT
    attachment_id TEXT   NOT NULL,
    subject_kind  TEXT   NOT NULL, -- STAFF, SERVICE, SYSTEM
    subject_id    TEXT   NOT NULL,
    subject_name  TEXT   NOT NULL,
    credential_id TEXT   NOT NULL,
    adapter       TEXT   NOT NULL, -- through what: mcp, rest, pages, cli
    client        TEXT   NOT NULL,
    why           TEXT   NOT NULL,
    request_id    TEXT   NOT NULL,
    trace_id      TEXT   NOT NULL,
    at            BIGINT NOT NULL
);
CREATE INDEX inbox_access_message ON inbox_access (hotel_id, message_id, id);
CREATE INDEX inbox_access_at ON inbox_access (hotel_id, at, id);
-- +goose Down
DROP TABLE inbox_access;
