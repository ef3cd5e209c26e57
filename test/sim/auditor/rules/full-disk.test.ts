import { describe, expect, test } from "vitest";
import type { DiskState } from "../../observation.ts";
import { accepted, idOf, opening, SUBMIT } from "../scene.ts";
import { found } from "./found.ts";
import { fullDisk } from "./full-disk.ts";

/** A submission that is accepted so long after the disk became so. */
function acceptedAfter(state: DiskState, ms: number, headers: Record<string, string> = {}): string {
  const run = opening();
  run.see({ kind: "disk", state });
  run.wait(ms);
  run.ask(SUBMIT, { ...accepted(idOf(1)), headers });
  run.see({ kind: "disk", state: "well" });
  return found(run, fullDisk);
}

describe("a submission while room is short", () => {
  test("that is accepted is a finding", () => {
    expect(acceptedAfter("reserved", 5000)).toContain("though room was short");
    expect(acceptedAfter("spent", 5000)).toContain("though room was short");
  });

  test("may be accepted before that was noticed, as it was before, or where there is room", () => {
    expect(acceptedAfter("reserved", 1000)).toBe("");
    expect(acceptedAfter("reserved", 5000, { "idempotency-replayed": "true" })).toBe("");
    expect(acceptedAfter("well", 5000)).toBe("");
  });
});
