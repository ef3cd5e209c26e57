import { expect, test } from "vitest";
import { codeOf, filesBelow } from "./source.ts";

/**
 * Whatever is begun has an owner who learns how it ended. Each of these places says who that is, or why nobody need
 * know; the list may only shrink.
 */
const EXCUSED: Readonly<Record<string, number>> = {
  // A request that is no JSON is refused as one that cannot be read.
  "src/admin/control-server.ts": 1,
  // Reports to everybody who waits, one by one, and never rejects.
  "src/dispatch/recorder.ts": 1,
  // Of a body that is not read to its end, how its reading ended is nobody's concern.
  "src/ingress/http/body.ts": 1,
  // Of an answer that its client takes no more of, how its making ended is nobody's concern.
  "src/core/http-connection.ts": 1,
  // Whoever asked is told; those behind him only wait for the end.
  "src/ingress/api/submission-reader.ts": 1,
  "src/domain/submission/staging.ts": 1,
};

/** A promise that nobody waits for, and a rejection that nobody hears of. */
const UNOWNED = /(?<![:<|>]\s?)\bvoid [a-zA-Z_$(]|\.catch\(\(\) => (?:\{\}|undefined|null)\)/g;

test("no promise is let go of and no rejection is swallowed but where the list says so", () => {
  const found = filesBelow("src")
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file): [string, number][] => {
      const times = [...codeOf(file, "emptied").matchAll(UNOWNED)].length;
      return times === 0 ? [] : [[file, times]];
    });
  expect(Object.fromEntries(found)).toEqual(EXCUSED);
});
