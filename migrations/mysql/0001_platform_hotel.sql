-- +goose Up
CREATE TABLE platform_hotel (
    id            CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY,
    name          VARCHAR(200) NOT NULL,
    status        VARCHAR(16)  NOT NULL,
    time_zone     VARCHAR(64)  NOT NULL,
    currency      CHAR(3)      NOT NULL,
    business_date CHAR(10)     NOT NULL,
    roll_hour     INT          NOT NULL DEFAULT -1,
    created_at    BIGINT       NOT NULL
) ENGINE=InnoDB DEFAULT CHARSET=utf8mb4 COLLATE=utf8mb4_bin;
-- +goose Down
DROP TABLE platform_hotel;
