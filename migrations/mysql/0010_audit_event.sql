-- +goose Up
CREATE TABLE audit_event (
    id             CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    hotel_id       VARCHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    at             BIGINT       NOT NULL,
    request_id     VARCHAR(128) NOT NULL,
    trace_id       VARCHAR(64)  NOT NULL,
    adapter        VARCHAR(16)  NOT NULL,
    protocol       VARCHAR(32)  NOT NULL,
    client         VARCHAR(100) NOT NULL,
    principal      VARCHAR(64)  NOT NULL,
    principal_name VARCHAR(100) NOT NULL,
    credential_id  VARCHAR(64)  NOT NULL,
    tool           VARCHAR(128) NOT NULL,
    owner          VARCHAR(64)  NOT NULL,
    risk           VARCHAR(16)  NOT NULL,
    status         VARCHAR(16)  NOT NULL,
    error_code     VARCHAR(64)  NOT NULL,
    duration_us    BIGINT       NOT NULL,
    args_size      BIGINT       NOT NULL,
    args_hash      VARCHAR(64)  NOT NULL,
    args_keys      VARCHAR(500) NOT NULL,
    result_hash    VARCHAR(64)  NOT NULL,
    resource_type  VARCHAR(64)  NOT NULL,
    resource_id    VARCHAR(128) NOT NULL,
    source_digest  VARCHAR(128) NOT NULL,
    seq            BIGINT       NULL,
    prev_hash      CHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    hash           CHAR(64)     CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT '',
    UNIQUE KEY audit_event_seq (seq),
    KEY audit_event_hotel (hotel_id, id)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE audit_event;
