import { expect, test } from "vitest";
import { readNote } from "../../../src/domain/messages/trace.ts";
import { phrase, said, written } from "../../../src/i18n/phrase.ts";

test("a note is what was kept, and one of a former version is its event with the words that it had", () => {
  const detail = phrase("message.note.part_state", { part: 1, state: "DELIVERED" });
  expect(readNote({ what: "receipt_after_end", detail: written(detail) })).toEqual({
    what: "receipt_after_end",
    detail,
  });
  expect(readNote({ what: "receipt after the end", detail: "part 1 DELIVERED" })).toEqual({
    what: "receipt_after_end",
    detail: said("part 1 DELIVERED"),
  });
  expect(readNote({ what: "unanswered", detail: "waiting" }).detail).toEqual(said("waiting"));
});
