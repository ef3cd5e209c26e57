import { describe, expect, test } from "vitest";
import { MAX_FILE_BYTES } from "../../../src/console/server/send/file-jobs.ts";
import { UploadStore } from "../../../src/console/server/send/uploads.ts";
import { testClock } from "../../kit/test-clock.ts";

const HALF_HOUR = 30 * 60_000;
const file = (bytes = 1) => new Uint8Array(bytes);

describe("files on the shelf", () => {
  test("stay half an hour after they were last asked for, and no longer", async () => {
    const clock = testClock();
    const shelf = new UploadStore(clock);
    shelf.put(1, "a", file(), false);
    await clock.advance(HALF_HOUR - 1);
    expect(shelf.get(1, "a")).not.toBeNull();
    await clock.advance(HALF_HOUR - 1);
    expect(shelf.get(1, "a")).not.toBeNull();
    await clock.advance(HALF_HOUR);
    expect(shelf.get(1, "a")).toBeNull();
  });

  test("are two of a user, whatever their sessions: a third takes the place of the one that was longest unused", () => {
    const shelf = new UploadStore(testClock());
    for (const id of ["a", "b"]) shelf.put(1, id, file(), false);
    shelf.put(2, "other", file(), false);
    shelf.get(1, "a");
    shelf.put(1, "c", file(), false);
    expect(["a", "b", "c"].map((id) => shelf.get(1, id) !== null)).toEqual([true, false, true]);
    expect(shelf.get(2, "other")).not.toBeNull();
  });

  test("come to four of the largest together, whoever brings them", () => {
    const shelf = new UploadStore(testClock());
    for (const user of [1, 2, 3, 4, 5]) shelf.put(user, `f${user}`, file(MAX_FILE_BYTES), false);
    expect([1, 2, 3, 4, 5].map((user) => shelf.get(user, `f${user}`) !== null)).toEqual([
      ...[false, true, true, true, true],
    ]);
  });

  test("are nobody else's, not even to forget", () => {
    const shelf = new UploadStore(testClock());
    shelf.put(1, "a", file(), false);
    shelf.drop(2, "a");
    expect([shelf.get(2, "a"), shelf.get(1, "a")?.id]).toEqual([null, "a"]);
    shelf.drop(1, "a");
    expect(shelf.get(1, "a")).toBeNull();
  });
});
