-- +goose Up
CREATE TABLE platform_code (
    hotel_id TEXT NOT NULL,
    list     TEXT NOT NULL, -- ROOM_TYPE, RATE_CODE, DEPARTMENT, ACCOUNT
    code     TEXT NOT NULL, -- trimmed, upper-cased
    name     TEXT NOT NULL,
    capacity INTEGER NOT NULL, -- most adults in a room of this type; 0 unknown
    position INTEGER NOT NULL,
    PRIMARY KEY (hotel_id, list, code)
);
-- +goose Down
DROP TABLE platform_code;
