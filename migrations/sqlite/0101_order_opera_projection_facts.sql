-- +goose Up
ALTER TABLE order_opera_projection ADD COLUMN guest_name TEXT NOT NULL DEFAULT '';
ALTER TABLE order_opera_projection ADD COLUMN rooms TEXT; -- room lines as JSON; NULL: OPERA did not say
-- +goose Down
ALTER TABLE order_opera_projection DROP COLUMN rooms;
ALTER TABLE order_opera_projection DROP COLUMN guest_name;
