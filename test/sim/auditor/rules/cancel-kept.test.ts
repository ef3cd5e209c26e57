import { describe, expect, test } from "vitest";
import { accepted, delivered, idOf, opening, page, type Scene, SUBMISSION, settled } from "../scene.ts";
import { cancelKept } from "./cancel-kept.ts";
import { found } from "./found.ts";

const WHEN = "2026-03-02T09:00:00+00:00";
const off = (status: string, when: string | null) => settled(idOf(1), { status, cancel_requested_at: when });

/** A batch is accepted, called off, and looked at when all has come to rest. */
function run(
  cancel: (scene: Scene) => void,
  look: ReturnType<typeof settled>,
  message?: Readonly<Record<string, unknown>>,
): string {
  const told = opening();
  const headers = { "idempotency-key": "k1" };
  const path = "/batches";
  told.ask({ client: "alpha", method: "POST", path, headers, body: SUBMISSION }, accepted(idOf(1)));
  cancel(told);
  told.see({ kind: "rest" });
  told.ask({ client: "alpha", path: `/batches/${idOf(1)}` }, look);
  if (message) {
    const row = delivered(idOf(1), 0, { status: "CANCELLED", ...message });
    told.ask({ client: "alpha", path: "/messages" }, page([row]));
  }
  return found(told, cancelKept);
}

const byClient = (status: number) => (scene: Scene) =>
  void scene.ask(
    { client: "alpha", method: "POST", path: `/batches/${idOf(1)}/cancel` },
    { ...off("QUEUED", WHEN), status },
  );
const byCommand = (scene: Scene) =>
  void scene.command("batch cancel", { BATCH: idOf(1), reason: "x" }, { data: { batch_id: idOf(1) } });

describe("a batch that was called off", () => {
  test.each([
    ["its client", byClient(202)],
    ["a command", byCommand],
  ])("by %s ends CANCELLED, and is a finding where it was sent after all", (_who, cancel) => {
    expect(run(cancel, off("CANCELLED", WHEN))).toBe("");
    expect(run(cancel, off("SETTLED", WHEN))).toContain("is SETTLED at rest");
    expect(run(cancel, off("CANCELLED", null))).toContain("asked for at null");
  });

  test("had ended before where it had missed its time, and shows no time then", () => {
    const missed = { error: { code: "SCHEDULE_TOO_LATE", detail: "late", operator_code: null } };
    const called = { error: { code: "CANCELLED", detail: "off", operator_code: null } };
    expect(run(byCommand, off("CANCELLED", null), missed)).toBe("");
    expect(run(byCommand, off("CANCELLED", null), called)).toContain("asked for at null");
    expect(run(byCommand, off("SETTLED", null), missed)).toContain("is SETTLED at rest");
  });

  test("may end otherwise where its client was refused", () => {
    expect(run(byClient(409), off("SETTLED", null))).toBe("");
  });
});
