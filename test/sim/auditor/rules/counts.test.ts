import { describe, expect, test } from "vitest";
import { idOf, type Scene, settled, wholeRun } from "../scene.ts";
import { counts } from "./counts.ts";
import { found } from "./found.ts";

const COUNTS = { total: 2, queued: 2, submitted: 2, sent: 2, delivered: 2, failed: 0, cancelled: 0 };

function look(changes: Readonly<Record<string, unknown>>) {
  return (run: Scene) => {
    run.ask({ client: "alpha", path: `/batches/${idOf(1)}` }, settled(idOf(1), changes));
  };
}

describe("counts of a batch", () => {
  test("rise, and end as the feed does", () => {
    const during = look({ status: "SENDING", counts: { ...COUNTS, sent: 1, delivered: 0 } });
    expect(found(wholeRun({ during }), counts)).toBe("");
  });

  test("are a finding where one falls, or does not fit the others", () => {
    const fallen = { ...COUNTS, submitted: 2, sent: 1, delivered: 1 };
    const during = look({ status: "SENDING" });
    expect(found(wholeRun({ during, batch: { counts: fallen } }), counts)).toContain("fell from 2");
    expect(found(wholeRun({ batch: { counts: { ...COUNTS, total: 3 } } }), counts)).toContain("total 3");
    expect(found(wholeRun({ batch: { counts: { ...COUNTS, failed: 1 } } }), counts)).toContain("failed 1");
  });

  test("are a finding where the feed ends otherwise", () => {
    const rows = [{ status: "FAILED" }, {}] as const;
    expect(found(wholeRun({ rows }), counts)).toContain("the feed shows 1");
  });

  test("belong to a batch that never goes back", () => {
    expect(found(wholeRun({ during: look({}), batch: { status: "CANCELLED" } }), counts)).toContain(
      "was SETTLED",
    );
    const during = look({ status: "SENDING" });
    expect(found(wholeRun({ during, batch: { status: "QUEUED" } }), counts)).toContain("was SENDING");
  });
});
