-- +goose Up
-- All columns of the search for cards that name a key and know no order, so that
-- no engine takes the thousands without an order instead.
DROP INDEX order_card_locator;
CREATE INDEX order_card_locator ON order_card (hotel_id, is_open, locator_type, locator_value, order_id, created_at, id);
-- +goose Down
DROP INDEX order_card_locator;
CREATE INDEX order_card_locator ON order_card (hotel_id, is_open, locator_type, locator_value);
