-- +goose Up
CREATE TABLE agent_policy (
    hotel_id   TEXT   NOT NULL PRIMARY KEY,
    profile    TEXT   NOT NULL, -- read_only or safe_write; no row means safe_write
    updated_by TEXT   NOT NULL,
    updated_at BIGINT NOT NULL
);
-- +goose Down
DROP TABLE agent_policy;
