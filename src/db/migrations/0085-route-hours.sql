-- How messages ended by their receipts, by the hour and by the route that carried them: what is usual of a route.
CREATE TABLE route_hours (
  hour INTEGER NOT NULL,
  operator TEXT NOT NULL,
  route TEXT NOT NULL,
  delivered INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (hour, operator, route)
) STRICT, WITHOUT ROWID;
