-- +goose Up
INSERT INTO inbox_text (message_id, hotel_id, folded)
SELECT id, hotel_id, LOWER(SUBSTR(text_body, 1, 20000)) FROM platform_source_message_inbox;
-- +goose Down
DELETE FROM inbox_text;
