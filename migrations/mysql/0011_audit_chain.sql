-- +goose Up
CREATE TABLE audit_chain (
    id         INT          NOT NULL PRIMARY KEY,
    owner      VARCHAR(36)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    held_until BIGINT       NOT NULL,
    head_seq   BIGINT       NOT NULL,
    head_hash  VARCHAR(64)  CHARACTER SET ascii COLLATE ascii_bin NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE audit_chain;
