-- +goose Up
CREATE TABLE platform_partner_replay (
    partner_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id VARCHAR(200) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    hotel_id   CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    digest     CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    status     INT NOT NULL,
    body       MEDIUMTEXT NOT NULL,
    created_at BIGINT NOT NULL,
    PRIMARY KEY (partner_id, message_id),
    KEY platform_partner_replay_age (created_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_partner_replay;
