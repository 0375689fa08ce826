-- +goose Up
CREATE TABLE platform_partner_secret (
    id         CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    partner_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    secret     VARCHAR(200) NOT NULL,
    created_at BIGINT NOT NULL,
    expires_at BIGINT,
    KEY platform_partner_secret_partner (partner_id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_partner_secret;
