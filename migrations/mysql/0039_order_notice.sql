-- +goose Up
CREATE TABLE order_notice (
    id                       CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id                 CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    batch_id                 CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    transition_id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id               CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    external_message_id      VARCHAR(255) NOT NULL,
    external_conversation_id VARCHAR(255) NOT NULL,
    received_at              BIGINT,
    subject                  VARCHAR(500) NOT NULL,
    sender_name              VARCHAR(200) NOT NULL,
    sender_email             VARCHAR(255) NOT NULL,
    route_code               VARCHAR(8) NOT NULL,
    reasons                  MEDIUMTEXT NOT NULL,
    status                   VARCHAR(16) NOT NULL,
    handled_by               VARCHAR(200) NOT NULL,
    handled_at               BIGINT,
    handled_text             MEDIUMTEXT NOT NULL,
    card_id                  CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    version                  BIGINT NOT NULL,
    created_at               BIGINT NOT NULL,
    updated_at               BIGINT NOT NULL,
    KEY order_notice_status (hotel_id, status, created_at, id),
    KEY order_notice_created (hotel_id, created_at, id),
    KEY order_notice_message (message_id),
    KEY order_notice_updated (hotel_id, updated_at)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE order_notice;
