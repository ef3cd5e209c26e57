-- Claims of texts of several segments that were to leave whole, in one submit_sm (message_payload): where nobody saw the end of such a
-- claim, the doubt is about all that it carried.
CREATE TABLE whole_claims (
  message_id INTEGER PRIMARY KEY,
  -- Which claim of the message, from 1; an older one says nothing about the newest.
  attempt INTEGER NOT NULL
) STRICT;
