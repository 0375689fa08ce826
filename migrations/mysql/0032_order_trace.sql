-- +goose Up
CREATE TABLE order_trace (
    id              CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    order_id        CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    card_id         CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    trace_type      VARCHAR(16) NOT NULL,
    department_code VARCHAR(80) NOT NULL,
    trace_date      VARCHAR(10) NOT NULL,
    trace_time      VARCHAR(8) NOT NULL,
    trace_text      MEDIUMTEXT NOT NULL,
    flag            VARCHAR(16) NOT NULL,
    created_at      BIGINT NOT NULL,
    KEY order_trace_order (order_id, created_at, id),
    KEY order_trace_day (hotel_id, trace_date)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_trace;
