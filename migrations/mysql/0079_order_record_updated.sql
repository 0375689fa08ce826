-- +goose Up
CREATE INDEX order_record_updated ON order_record (hotel_id, updated_at, id);
-- +goose Down
DROP INDEX order_record_updated ON order_record;
