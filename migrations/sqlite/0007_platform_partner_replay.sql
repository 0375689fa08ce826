-- +goose Up
CREATE TABLE platform_partner_replay (
    partner_id TEXT NOT NULL,
    message_id TEXT NOT NULL, -- webhook-id
    hotel_id   TEXT NOT NULL,
    digest     TEXT NOT NULL, -- of path and body, so that a reused id is told from a repeat
    status     INTEGER NOT NULL, -- HTTP status of the answer
    body       TEXT NOT NULL, -- the answer
    created_at BIGINT NOT NULL,
    PRIMARY KEY (partner_id, message_id)
);
CREATE INDEX platform_partner_replay_age ON platform_partner_replay (created_at);
-- +goose Down
DROP TABLE platform_partner_replay;
