-- +goose Up
CREATE TABLE platform_staff (
    id            TEXT NOT NULL PRIMARY KEY,
    hotel_id      TEXT NOT NULL,
    username      TEXT NOT NULL, -- lower-cased
    password_hash TEXT NOT NULL, -- argon2id, PHC format
    name          TEXT NOT NULL,
    role          TEXT NOT NULL,
    lang          TEXT NOT NULL, -- zh or en
    status        TEXT NOT NULL, -- ACTIVE or DISABLED
    created_at    BIGINT NOT NULL,
    updated_at    BIGINT NOT NULL
);
CREATE UNIQUE INDEX platform_staff_username ON platform_staff (hotel_id, username);
-- +goose Down
DROP TABLE platform_staff;
