import { describe, expect, test } from "vitest";
import { accepted, idOf, opening, type Scene, SUBMISSION, settled } from "../scene.ts";
import { cancelKept } from "./cancel-kept.ts";
import { found } from "./found.ts";

const WHEN = "2026-03-02T09:00:00+00:00";
const off = (status: string, when: string | null) => settled(idOf(1), { status, cancel_requested_at: when });

/** A batch is accepted, called off, and looked at when all has come to rest. */
function run(cancel: (scene: Scene) => void, look: ReturnType<typeof settled>): string {
  const told = opening();
  const headers = { "idempotency-key": "k1" };
  const path = "/batches";
  told.ask({ client: "alpha", method: "POST", path, headers, body: SUBMISSION }, accepted(idOf(1)));
  cancel(told);
  told.see({ kind: "rest" });
  told.ask({ client: "alpha", path: `/batches/${idOf(1)}` }, look);
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

  test("may end otherwise where its client was refused", () => {
    expect(run(byClient(409), off("SETTLED", null))).toBe("");
  });
});
