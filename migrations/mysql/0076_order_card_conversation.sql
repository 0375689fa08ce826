-- +goose Up
CREATE INDEX order_card_conversation ON order_card (external_conversation_id, is_open, status, due_at, id);
-- +goose Down
DROP INDEX order_card_conversation ON order_card;
