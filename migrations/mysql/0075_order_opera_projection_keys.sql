-- +goose Up
ALTER TABLE order_opera_projection
    DROP KEY order_opera_projection_group,
    DROP KEY order_opera_projection_confirmation,
    DROP KEY order_opera_projection_reservation,
    ADD KEY order_opera_projection_group (hotel_id, group_code, as_of),
    ADD KEY order_opera_projection_confirmation (hotel_id, confirmation_number, as_of),
    ADD KEY order_opera_projection_reservation (hotel_id, reservation_no, as_of);
-- +goose Down
ALTER TABLE order_opera_projection
    DROP KEY order_opera_projection_group,
    DROP KEY order_opera_projection_confirmation,
    DROP KEY order_opera_projection_reservation,
    ADD KEY order_opera_projection_group (hotel_id, group_code),
    ADD KEY order_opera_projection_confirmation (hotel_id, confirmation_number),
    ADD KEY order_opera_projection_reservation (hotel_id, reservation_no);
