-- +goose Up
CREATE TABLE audit_event (
    id             TEXT    NOT NULL PRIMARY KEY,
    hotel_id       TEXT    NOT NULL, -- '' before the caller is known
    at             BIGINT  NOT NULL,
    request_id     TEXT    NOT NULL,
    trace_id       TEXT    NOT NULL,
    adapter        TEXT    NOT NULL,
    protocol       TEXT    NOT NULL,
    client         TEXT    NOT NULL,
    principal      TEXT    NOT NULL,
    principal_name TEXT    NOT NULL,
    credential_id  TEXT    NOT NULL,
    tool           TEXT    NOT NULL,
    owner          TEXT    NOT NULL,
    risk           TEXT    NOT NULL,
    status         TEXT    NOT NULL,
    error_code     TEXT    NOT NULL,
    duration_us    BIGINT  NOT NULL,
    args_size      INTEGER NOT NULL,
    args_hash      TEXT    NOT NULL,
    args_keys      TEXT    NOT NULL,
    result_hash    TEXT    NOT NULL,
    resource_type  TEXT    NOT NULL,
    resource_id    TEXT    NOT NULL,
    source_digest  TEXT    NOT NULL,
    seq            BIGINT, -- NULL until sealed
    -- As long as the hashes that replace them, so that sealing does not make the row grow.
    prev_hash      TEXT    NOT NULL DEFAULT '0000000000000000000000000000000000000000000000000000000000000000',
    hash           TEXT    NOT NULL DEFAULT '0000000000000000000000000000000000000000000000000000000000000000'
);
CREATE UNIQUE INDEX audit_event_seq ON audit_event (seq) WHERE seq IS NOT NULL;
CREATE INDEX audit_event_unsealed ON audit_event (id) WHERE seq IS NULL;
CREATE INDEX audit_event_hotel ON audit_event (hotel_id, id);
-- +goose Down
DROP TABLE audit_event;
