-- +goose Up
CREATE TABLE order_rooming_sheet (
    id            TEXT NOT NULL PRIMARY KEY,
    hotel_id      TEXT NOT NULL,
    message_id    TEXT NOT NULL,
    attachment_id TEXT NOT NULL,
    name          TEXT NOT NULL,
    sole          BOOLEAN NOT NULL, -- the only table of its mail
    content       TEXT NOT NULL, -- what was read, once and for all
    created_at    BIGINT NOT NULL,
    UNIQUE (message_id, attachment_id)
);
-- +goose Down
DROP TABLE order_rooming_sheet;
