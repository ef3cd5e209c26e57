-- The highest feed stamp of an account stands in its messages and in the last run of its batches, which indexes find.
DROP TABLE feed_clocks;
