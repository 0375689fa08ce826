-- +goose Up
CREATE TABLE agent_policy (
    hotel_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    profile    VARCHAR(16) NOT NULL,
    updated_by VARCHAR(64) NOT NULL,
    updated_at BIGINT      NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE agent_policy;
