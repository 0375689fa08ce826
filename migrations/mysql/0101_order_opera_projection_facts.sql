-- +goose Up
ALTER TABLE order_opera_projection ADD COLUMN guest_name VARCHAR(200) NOT NULL DEFAULT '', ADD COLUMN rooms MEDIUMTEXT;
-- +goose Down
ALTER TABLE order_opera_projection DROP COLUMN rooms, DROP COLUMN guest_name;
