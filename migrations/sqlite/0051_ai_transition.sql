-- +goose Up
CREATE TABLE ai_transition (
    id                     TEXT    NOT NULL PRIMARY KEY,
    hotel_id               TEXT    NOT NULL,
    batch_id               TEXT    NOT NULL,
    position               INTEGER NOT NULL, -- in message_events, from 0
    order_ref              TEXT    NOT NULL DEFAULT '',
    event_type             TEXT    NOT NULL DEFAULT '', -- as the agent wrote it; '' for a notice
    order_id               TEXT    NOT NULL DEFAULT '', -- as answered; '' when no single order was known
    card_id                TEXT    NOT NULL DEFAULT '',
    notice_id              TEXT    NOT NULL DEFAULT '',
    event                  TEXT    NOT NULL, -- the event's JSON; '' for a notice
    adapter_contract_error TEXT    NOT NULL, -- [{path, code, message}]
    created_at             BIGINT  NOT NULL,
    UNIQUE (batch_id, position)
);
-- +goose Down
DROP TABLE ai_transition;
