-- +goose Up
CREATE TABLE platform_partner (
    id         TEXT NOT NULL PRIMARY KEY,
    hotel_id   TEXT NOT NULL,
    name       TEXT NOT NULL,
    account_id TEXT NOT NULL, -- the service account a verified signature acts as
    status     TEXT NOT NULL, -- ACTIVE or DISABLED
    created_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX platform_partner_name ON platform_partner (hotel_id, name);
-- +goose Down
DROP TABLE platform_partner;
