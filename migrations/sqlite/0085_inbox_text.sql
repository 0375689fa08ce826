-- +goose Up
CREATE TABLE inbox_text (
    message_id TEXT NOT NULL PRIMARY KEY,
    hotel_id   TEXT NOT NULL,
    folded     TEXT NOT NULL -- beginning of the body, case and width folded: what searches look in
);
-- +goose Down
DROP TABLE inbox_text;
