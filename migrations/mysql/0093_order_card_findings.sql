-- +goose Up
ALTER TABLE order_card ADD COLUMN findings MEDIUMTEXT;
-- +goose Down
ALTER TABLE order_card DROP COLUMN findings;
