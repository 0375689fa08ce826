-- +goose Up
CREATE TABLE agent_tool_switch (
    hotel_id   TEXT    NOT NULL,
    tool       TEXT    NOT NULL,
    enabled    BOOLEAN NOT NULL,
    updated_by TEXT    NOT NULL,
    updated_at BIGINT  NOT NULL,
    PRIMARY KEY (hotel_id, tool)
);
-- +goose Down
DROP TABLE agent_tool_switch;
