-- +goose Up
CREATE TABLE order_task (
    id           CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    batch_id     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_ref    VARCHAR(120) NOT NULL,
    account_code VARCHAR(80) NOT NULL,
    created_at   BIGINT NOT NULL,
    KEY order_task_message (message_id),
    KEY order_task_batch (batch_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_task;
