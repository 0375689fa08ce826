-- +goose Up
CREATE TABLE platform_hotel (
    id            TEXT    NOT NULL PRIMARY KEY,
    name          TEXT    NOT NULL,
    status        TEXT    NOT NULL, -- ACTIVE or INACTIVE; exactly one ACTIVE in this stage
    time_zone     TEXT    NOT NULL, -- IANA name
    currency      TEXT    NOT NULL, -- ISO 4217
    business_date TEXT    NOT NULL, -- YYYY-MM-DD; decides "past" and "due in", not the clock
    roll_hour     INTEGER NOT NULL DEFAULT -1, -- local hour at which the date rolls by itself; -1 never
    created_at    BIGINT  NOT NULL
);
-- +goose Down
DROP TABLE platform_hotel;
