-- +goose Up
CREATE TABLE inbox_attachment (
    message_id    TEXT    NOT NULL,
    position      INTEGER NOT NULL, -- order in the mail, from 1
    hotel_id      TEXT    NOT NULL,
    attachment_id TEXT    NOT NULL, -- the source's id, or one of ours
    name          TEXT    NOT NULL,
    content_type  TEXT    NOT NULL,
    content_id    TEXT    NOT NULL,
    inline_part   BOOLEAN NOT NULL,
    size          BIGINT  NOT NULL,
    sha256        TEXT    NOT NULL, -- key in blob storage; '' when the source sent no content
    PRIMARY KEY (message_id, position)
);
CREATE UNIQUE INDEX inbox_attachment_id ON inbox_attachment (message_id, attachment_id);
-- +goose Down
DROP TABLE inbox_attachment;
