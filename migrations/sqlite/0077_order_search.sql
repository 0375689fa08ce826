-- +goose Up
-- Words of orders and cards, for search. Derived from search_text, which has the
-- last word: a row too many here finds nothing wrong. No hotel_id: the row that
-- row_id names has it, and here it would double the size.
CREATE TABLE order_search (
    kind   TEXT NOT NULL, -- C: card, O: order
    token  TEXT NOT NULL, -- a word, or the rest of one from where somebody may begin to type
    row_id TEXT NOT NULL,
    PRIMARY KEY (kind, token, row_id)
) WITHOUT ROWID;
-- +goose Down
DROP TABLE order_search;
