/** Which rows that nobody could read are still nobody's once corrections came. */
import { expect, test } from "vitest";
import { leftUnread, type UnreadRow } from "../../src/reports/unread-rows.ts";

const row = (written: string, nom = "", line = 2): UnreadRow => ({
  ...{ batch: 0, reason: null, written, position: null },
  row: {
    ...{ line, written, msisdn: null, cause: "", client_reference: null },
    attributes: nom === "" ? null : { nom },
  },
});
const names = (rows: readonly UnreadRow[]) => rows.map(({ written }) => written);
const fresh = (...texts: { msisdn: string; text: string }[]) => ({ count: texts.length, texts });
const NONE = fresh();

test("a new number takes the place of the row whose digits it has", () => {
  const left = leftUnread([row("511000"), row("77")], [], fresh({ msisdn: "+22605110007", text: "Bonjour" }));
  expect(names(left)).toEqual(["77"]);
});

test("or of the row whose values its text says", () => {
  const before = [row("7,6E+07", "Adama"), row("77", "Bintou")];
  const left = leftUnread(before, [], fresh({ msisdn: "+22676543210", text: "Bonjour Adama" }));
  expect(names(left)).toEqual(["77"]);
});

test("where nobody can tell which it was, as many are left, and none is named", () => {
  const before = [row("7,6E+07"), row("77")];
  const left = leftUnread(before, [], fresh({ msisdn: "+22605220001", text: "Bonjour" }));
  expect(left).toEqual([{ batch: 0, reason: null, written: null, position: null, row: null }]);
});

test("a row that comes back as it was is one person, and stands in its new file", () => {
  const again = { ...row("77"), batch: 1 };
  expect(leftUnread([row("77"), row("88")], [again], NONE)).toEqual([again, row("88")]);
});

test("there are never fewer than in the last file, nor fewer than were before without those that are new", () => {
  for (const before of [0, 1, 2, 5])
    for (const here of [0, 1, 3])
      for (const count of [0, 1, 2]) {
        const rows = (how: number, first: string) =>
          Array.from({ length: how }, (_, place) => row(`${first}${place}`));
        const left = leftUnread(rows(before, "a"), rows(here, "b"), { count, texts: [] });
        expect(left.length).toBe(Math.max(before - count, here));
      }
});
