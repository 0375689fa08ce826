-- +goose Up
CREATE INDEX inbox_header_id ON platform_source_message_inbox (hotel_id, header_message_id);
-- +goose Down
DROP INDEX inbox_header_id;
