-- +goose Up
CREATE INDEX inbox_raw ON platform_source_message_inbox (raw_sha256);
-- +goose Down
DROP INDEX inbox_raw ON platform_source_message_inbox;
