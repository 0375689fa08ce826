-- +goose Up
CREATE TABLE platform_partner_secret (
    id         TEXT NOT NULL PRIMARY KEY,
    hotel_id   TEXT NOT NULL,
    partner_id TEXT NOT NULL,
    secret     TEXT NOT NULL, -- whsec_ and base64: HMAC needs the secret itself
    created_at BIGINT NOT NULL,
    expires_at BIGINT -- NULL until rotated
);
CREATE INDEX platform_partner_secret_partner ON platform_partner_secret (partner_id);
-- +goose Down
DROP TABLE platform_partner_secret;
