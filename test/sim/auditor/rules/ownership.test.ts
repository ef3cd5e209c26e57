import { describe, expect, test } from "vitest";
import { accepted, delivered, idOf, opening, page, SUBMIT, settled } from "../scene.ts";
import { found } from "./found.ts";
import { ownership } from "./ownership.ts";

const FETCH = { client: "beta", path: `/batches/${idOf(1)}` };

function two() {
  const run = opening(["alpha", "beta"]);
  run.ask(SUBMIT, accepted(idOf(1)));
  return run;
}

describe("what is one account's", () => {
  test("is not found by another", () => {
    const run = two();
    run.ask(FETCH, { status: 404, json: { code: "NOT_FOUND" } });
    expect(found(run, ownership)).toBe("");
  });

  test("is a finding where another is shown it", () => {
    const run = two();
    run.ask(FETCH, settled(idOf(1)));
    expect(found(run, ownership)).toContain("not-found");
    expect(found(run, ownership)).toContain("ownership");
  });

  test("is a finding where it stands in another's feed", () => {
    const run = two();
    run.ask({ client: "beta", path: "/messages" }, page([delivered(idOf(1), 0)]));
    expect(found(run, ownership)).toContain("which is alpha's");
  });

  test("is a finding where an event tells another of it", () => {
    const run = two();
    const body = JSON.stringify({ account_id: idOf(901), data: { batch_id: idOf(1) } });
    run.see({ kind: "event", id: 1, url: "https://x.example/hook", headers: {}, body });
    expect(found(run, ownership)).toContain("event 1 shows beta");
  });
});
