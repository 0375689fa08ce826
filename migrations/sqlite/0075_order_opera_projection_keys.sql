-- +goose Up
DROP INDEX order_opera_projection_group;
DROP INDEX order_opera_projection_confirmation;
DROP INDEX order_opera_projection_reservation;
CREATE INDEX order_opera_projection_group ON order_opera_projection (hotel_id, group_code, as_of);
CREATE INDEX order_opera_projection_confirmation ON order_opera_projection (hotel_id, confirmation_number, as_of);
CREATE INDEX order_opera_projection_reservation ON order_opera_projection (hotel_id, reservation_no, as_of);
-- +goose Down
DROP INDEX order_opera_projection_group;
DROP INDEX order_opera_projection_confirmation;
DROP INDEX order_opera_projection_reservation;
CREATE INDEX order_opera_projection_group ON order_opera_projection (hotel_id, group_code);
CREATE INDEX order_opera_projection_confirmation ON order_opera_projection (hotel_id, confirmation_number);
CREATE INDEX order_opera_projection_reservation ON order_opera_projection (hotel_id, reservation_no);
