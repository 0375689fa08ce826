-- +goose Up
CREATE TABLE inbox_thread (
    hotel_id          CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    provider          VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    channel           VARCHAR(32) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    reference_hash    CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    conversation_id   TEXT NOT NULL,
    conversation_hash CHAR(64) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    given             BOOLEAN NOT NULL,
    PRIMARY KEY (hotel_id, provider, channel, reference_hash),
    KEY inbox_thread_conversation (hotel_id, conversation_hash),
    KEY inbox_thread_reference (hotel_id, reference_hash)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE inbox_thread;
