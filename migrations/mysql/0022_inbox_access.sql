-- +goose Up
CREATE TABLE inbox_access (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    message_id    CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    what          VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    attachment_id VARCHAR(200) NOT NULL,
    subject_kind  VARCHAR(16) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    subject_id    VARCHAR(64) NOT NULL,
    subject_name  VARCHAR(200) NOT NULL,
    credential_id VARCHAR(64) NOT NULL,
    adapter       VARCHAR(32) NOT NULL,
    client        VARCHAR(200) NOT NULL,
    why           VARCHAR(200) NOT NULL,
    request_id    VARCHAR(200) NOT NULL,
    trace_id      VARCHAR(200) NOT NULL,
    at            BIGINT NOT NULL,
    KEY inbox_access_message (hotel_id, message_id, id),
    KEY inbox_access_at (hotel_id, at, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE inbox_access;
