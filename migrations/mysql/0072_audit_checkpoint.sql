-- +goose Up
-- The last row of each part of the audit chain that was moved to a file.
CREATE TABLE audit_checkpoint (
    seq         BIGINT   NOT NULL PRIMARY KEY,
    hash        CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    row_count   BIGINT   NOT NULL,
    file_sha256 CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    created_at  BIGINT   NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE audit_checkpoint;
