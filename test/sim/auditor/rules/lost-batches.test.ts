import { describe, expect, test } from "vitest";
import { audit } from "../audit.ts";
import { accepted, idOf, opening, SUBMISSION, settled } from "../scene.ts";
import { lostBatches } from "./lost-batches.ts";

const FETCH = { client: "alpha", path: `/batches/${idOf(1)}` };
const NOT_FOUND = { status: 404, json: { code: "NOT_FOUND" } };

/** A batch is accepted, and looked at when all has come to rest. */
function run(look: Parameters<ReturnType<typeof opening>["ask"]>[1]) {
  const told = opening();
  const headers = { "idempotency-key": "k1" };
  told.ask(
    { client: "alpha", method: "POST", path: "/batches", headers, body: SUBMISSION },
    accepted(idOf(1)),
  );
  told.see({ kind: "rest" });
  told.ask(FETCH, look);
  return audit(told.observations, [lostBatches]).findings.map(({ what }) => what);
}

describe("a batch that was acknowledged", () => {
  test("is there at rest, ended, as it was told", () => {
    expect(run(settled(idOf(1)))).toEqual([]);
  });

  test("is a finding where a fetch does not know it", () => {
    expect(run(NOT_FOUND).join()).toContain("found nothing");
  });

  test("is a finding where its figures are others now", () => {
    expect(run(settled(idOf(1), { accepted: 1 })).join()).toContain("answered with 2 accepted");
  });

  test("is a finding where it never ends", () => {
    expect(run(settled(idOf(1), { status: "SENDING" })).join()).toContain("still SENDING");
  });

  test("is a finding where nobody was shown it", () => {
    expect(run(null).join()).toContain("nobody was shown");
  });
});
