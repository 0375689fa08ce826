-- +goose Up
CREATE TABLE agent_idempotency (
    scope_hash    CHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tool          VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject_id    VARCHAR(64)  NOT NULL,
    request_id    VARCHAR(128) NOT NULL,
    claim_id      CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    state         VARCHAR(16)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    args_hash     CHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    lease_until   BIGINT       NOT NULL,
    result        MEDIUMTEXT   NULL,
    resource_type VARCHAR(64)  NOT NULL DEFAULT '',
    resource_id   VARCHAR(128) NOT NULL DEFAULT '',
    created_at    BIGINT       NOT NULL,
    completed_at  BIGINT       NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE agent_idempotency;
