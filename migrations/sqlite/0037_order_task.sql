-- +goose Up
CREATE TABLE order_task (
    id           TEXT NOT NULL PRIMARY KEY,
    hotel_id     TEXT NOT NULL,
    batch_id     TEXT NOT NULL,
    message_id   TEXT NOT NULL,
    order_ref    TEXT NOT NULL,
    account_code TEXT NOT NULL,
    created_at   BIGINT NOT NULL
);
CREATE INDEX order_task_message ON order_task (message_id);
CREATE INDEX order_task_batch ON order_task (batch_id);
-- +goose Down
DROP TABLE order_task;
