-- +goose Up
CREATE TABLE ai_transition_batch (
    id                  CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id          CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    external_message_id TEXT         NOT NULL,
    route_code          VARCHAR(8)   NOT NULL DEFAULT '',
    revision            INT          NOT NULL,
    package_sha256      CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    package             LONGTEXT     NOT NULL,
    package_size        INT          NOT NULL,
    warnings            MEDIUMTEXT   NOT NULL,
    event_count         INT          NOT NULL,
    error_count         INT          NOT NULL,
    submitted_by        VARCHAR(64)  NOT NULL,
    submitted_by_name   VARCHAR(200) NOT NULL,
    request_id          VARCHAR(200) NOT NULL,
    trace_id            VARCHAR(200) NOT NULL,
    created_at          BIGINT       NOT NULL,
    UNIQUE KEY ai_transition_batch_package (message_id, package_sha256),
    UNIQUE KEY ai_transition_batch_revision (message_id, revision),
    KEY ai_transition_batch_list (hotel_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE ai_transition_batch;
