-- +goose Up
CREATE TABLE audit_chain (
    id         INTEGER NOT NULL PRIMARY KEY, -- always 1
    owner      TEXT    NOT NULL, -- who may seal
    held_until BIGINT  NOT NULL,
    head_seq   BIGINT  NOT NULL,
    head_hash  TEXT    NOT NULL
);
-- +goose Down
DROP TABLE audit_chain;
