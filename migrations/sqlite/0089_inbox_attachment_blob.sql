-- +goose Up
CREATE INDEX inbox_attachment_blob ON inbox_attachment (sha256);
-- +goose Down
DROP INDEX inbox_attachment_blob;
