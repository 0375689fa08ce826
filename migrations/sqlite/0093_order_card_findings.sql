-- +goose Up
ALTER TABLE order_card ADD COLUMN findings TEXT; -- what rules said and confirming did, as it was when the card was decided
-- +goose Down
ALTER TABLE order_card DROP COLUMN findings;
