-- +goose Up
CREATE TABLE agent_tool_switch (
    hotel_id   CHAR(36)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    tool       VARCHAR(128) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    enabled    BOOLEAN      NOT NULL,
    updated_by VARCHAR(64)  NOT NULL,
    updated_at BIGINT       NOT NULL,
    PRIMARY KEY (hotel_id, tool)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE agent_tool_switch;
