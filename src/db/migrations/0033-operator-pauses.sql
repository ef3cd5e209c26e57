-- What an administrator paused: nothing leaves by it until it is resumed, whatever happens to the process.
CREATE TABLE operator_pauses (
  operator TEXT NOT NULL,
  -- The connection's name, which it has wherever it stands in the list; '' is all of the operator.
  connection TEXT NOT NULL,
  reason TEXT NOT NULL,
  -- Who paused it.
  actor TEXT NOT NULL,
  paused_at INTEGER NOT NULL,
  PRIMARY KEY (operator, connection)
) STRICT, WITHOUT ROWID;
