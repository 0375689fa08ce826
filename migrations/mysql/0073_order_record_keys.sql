-- +goose Up
ALTER TABLE order_record
    DROP KEY order_record_group,
    DROP KEY order_record_confirmation,
    DROP KEY order_record_reservation,
    DROP KEY order_record_reference,
    ADD KEY order_record_group (hotel_id, group_code, arrival_date, id),
    ADD KEY order_record_confirmation (hotel_id, confirmation_number, arrival_date, id),
    ADD KEY order_record_reservation (hotel_id, reservation_no, arrival_date, id),
    ADD KEY order_record_reference (hotel_id, external_reference, arrival_date, id);
-- +goose Down
ALTER TABLE order_record
    DROP KEY order_record_group,
    DROP KEY order_record_confirmation,
    DROP KEY order_record_reservation,
    DROP KEY order_record_reference,
    ADD KEY order_record_group (hotel_id, group_code),
    ADD KEY order_record_confirmation (hotel_id, confirmation_number),
    ADD KEY order_record_reservation (hotel_id, reservation_no),
    ADD KEY order_record_reference (hotel_id, external_reference);
