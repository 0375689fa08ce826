-- +goose Up
CREATE TABLE platform_service_account (
    id         TEXT NOT NULL PRIMARY KEY,
    hotel_id   TEXT NOT NULL,
    name       TEXT NOT NULL, -- lower-cased
    role       TEXT NOT NULL,
    scopes     TEXT NOT NULL, -- space-separated; what a verified partner signature may use
    status     TEXT NOT NULL, -- ACTIVE or DISABLED
    created_at BIGINT NOT NULL,
    updated_at BIGINT NOT NULL
);
CREATE UNIQUE INDEX platform_service_account_name ON platform_service_account (hotel_id, name);
-- +goose Down
DROP TABLE platform_service_account;
