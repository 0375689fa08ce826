-- +goose Up
CREATE TABLE ai_transition (
    id                     CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id               CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    batch_id               CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    position               INT          NOT NULL,
    order_ref              VARCHAR(255) NOT NULL DEFAULT '',
    event_type             VARCHAR(64)  NOT NULL DEFAULT '',
    order_id               VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    card_id                VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    notice_id              VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    event                  LONGTEXT     NOT NULL,
    adapter_contract_error MEDIUMTEXT   NOT NULL,
    created_at             BIGINT       NOT NULL,
    UNIQUE KEY ai_transition_position (batch_id, position)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE ai_transition;
