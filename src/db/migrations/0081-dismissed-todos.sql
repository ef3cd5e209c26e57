-- What is left to be set up and a user of the console does not want to be shown; it goes when that is done.
CREATE TABLE dismissed_todos (
  user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  todo TEXT NOT NULL,
  PRIMARY KEY (user_id, todo)
) STRICT, WITHOUT ROWID;
