-- How much of the database was in use on a day since the beginning of 1970, for whoever asks how fast it grows.
CREATE TABLE daily_sizes (
  day INTEGER PRIMARY KEY,
  bytes INTEGER NOT NULL
) STRICT;
