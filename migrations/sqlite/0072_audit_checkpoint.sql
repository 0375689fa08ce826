-- +goose Up
-- The last row of each part of the audit chain that was moved to a file.
CREATE TABLE audit_checkpoint (
    seq         BIGINT NOT NULL PRIMARY KEY,
    hash        TEXT   NOT NULL,
    row_count   BIGINT NOT NULL,
    file_sha256 TEXT   NOT NULL,
    created_at  BIGINT NOT NULL
);
-- +goose Down
DROP TABLE audit_checkpoint;
