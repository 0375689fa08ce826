-- +goose Up
ALTER TABLE order_card
    DROP KEY order_card_locator,
    ADD KEY order_card_locator (hotel_id, is_open, locator_type, locator_value, order_id, created_at, id);
-- +goose Down
ALTER TABLE order_card
    DROP KEY order_card_locator,
    ADD KEY order_card_locator (hotel_id, is_open, locator_type, locator_value);
