-- +goose Up
CREATE TABLE agent_idempotency (
    scope_hash    TEXT   NOT NULL PRIMARY KEY, -- SHA-256 of hotel, tool, subject (unless shared) and key: the key itself is not kept
    hotel_id      TEXT   NOT NULL,
    tool          TEXT   NOT NULL,
    subject_id    TEXT   NOT NULL,
    request_id    TEXT   NOT NULL, -- of the call that claimed it last
    claim_id      TEXT   NOT NULL, -- changes with every claim: only its holder can complete
    state         TEXT   NOT NULL, -- RUNNING or DONE
    args_hash     TEXT   NOT NULL,
    lease_until   BIGINT NOT NULL, -- a claim older than this belongs to a dead process
    result        TEXT,            -- of DONE
    resource_type TEXT   NOT NULL DEFAULT '',
    resource_id   TEXT   NOT NULL DEFAULT '',
    created_at    BIGINT NOT NULL,
    completed_at  BIGINT
);
-- +goose Down
DROP TABLE agent_idempotency;
