-- +goose Up
CREATE TABLE order_trace (
    id              TEXT NOT NULL PRIMARY KEY,
    hotel_id        TEXT NOT NULL,
    order_id        TEXT NOT NULL,
    card_id         TEXT NOT NULL,
    trace_type      TEXT NOT NULL,
    department_code TEXT NOT NULL,
    trace_date      TEXT NOT NULL,
    trace_time      TEXT NOT NULL,
    trace_text      TEXT NOT NULL,
    flag            TEXT NOT NULL, -- ALLERGY, ACCESSIBILITY or empty
    created_at      BIGINT NOT NULL
);
CREATE INDEX order_trace_order ON order_trace (order_id, created_at, id);
CREATE INDEX order_trace_day ON order_trace (hotel_id, trace_date);
-- +goose Down
DROP TABLE order_trace;
