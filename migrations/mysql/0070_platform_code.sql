-- +goose Up
CREATE TABLE platform_code (
    hotel_id CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL,
    list     VARCHAR(16) NOT NULL,
    code     VARCHAR(40) NOT NULL,
    name     VARCHAR(200) NOT NULL,
    capacity INT NOT NULL,
    position INT NOT NULL,
    PRIMARY KEY (hotel_id, list, code)
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_code;
