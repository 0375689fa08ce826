-- +goose Up
-- With the sort order in them: without statistics SQLite prefers any index that
-- saves the sort, and would walk every order by arrival to find one key.
DROP INDEX order_record_group;
DROP INDEX order_record_confirmation;
DROP INDEX order_record_reservation;
DROP INDEX order_record_reference;
CREATE INDEX order_record_group ON order_record (hotel_id, group_code, arrival_date, id);
CREATE INDEX order_record_confirmation ON order_record (hotel_id, confirmation_number, arrival_date, id);
CREATE INDEX order_record_reservation ON order_record (hotel_id, reservation_no, arrival_date, id);
CREATE INDEX order_record_reference ON order_record (hotel_id, external_reference, arrival_date, id);
-- +goose Down
DROP INDEX order_record_group;
DROP INDEX order_record_confirmation;
DROP INDEX order_record_reservation;
DROP INDEX order_record_reference;
CREATE INDEX order_record_group ON order_record (hotel_id, group_code);
CREATE INDEX order_record_confirmation ON order_record (hotel_id, confirmation_number);
CREATE INDEX order_record_reservation ON order_record (hotel_id, reservation_no);
CREATE INDEX order_record_reference ON order_record (hotel_id, external_reference);
