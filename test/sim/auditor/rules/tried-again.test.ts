import { expect, test } from "vitest";
import type { Scene } from "../scene.ts";
import { atRest, linkTo, oneText } from "../wire-scene.ts";
import { found } from "./found.ts";
import { triedAgain } from "./tried-again.ts";

const START_MS = Date.parse("2026-01-01T00:00:00Z");
const MINUTE_MS = 60_000;

/** The wall time of a moment of these scenes. */
function wall(atMs: number): string {
  return new Date(START_MS + atMs).toISOString();
}

function nowMs(run: Scene): number {
  return run.observations.at(-1)?.atMs ?? 0;
}

/** A text whose account reads its balance, so that the clock is known. */
function oneOtp(): Scene {
  const run = oneText({ message_class: "OTP" });
  const as_of = wall(nowMs(run));
  run.ask({ client: "alpha", path: "/account/balance" }, { status: 200, json: { data: { as_of } } });
  return run;
}

type Outcome = Parameters<Scene["command"]>[2];

const OTP = { message_class: "OTP" };

/** A text is put off, something happens for nine minutes, and then it has expired. */
function waited(meanwhile: (run: Scene, link: ReturnType<typeof linkTo>) => void, status = 0x14): string {
  const run = oneOtp();
  const link = linkTo(run, "one", 1);
  link.bind();
  link.answer(link.submit(), status, status === 0 ? "A1" : "");
  meanwhile(run, link);
  run.see({ kind: "disk", state: "well" });
  const error = { code: "OPERATOR_THROTTLED", operator_code: "0x00000014" };
  const finalized_at = wall(nowMs(run));
  return found(atRest(run, { ...OTP, status: "FAILED", error, finalized_at }), triedAgain);
}

test("a message that was put off does not expire beside a connection that has nothing to do", () => {
  expect(waited((run) => run.wait(9 * MINUTE_MS))).toContain("tried-again");
});

test("a message that was put off may expire while it is put off again, or its connection is away", () => {
  const again = (run: Scene, link: ReturnType<typeof linkTo>) => {
    for (let tries = 0; tries < 12; tries++) {
      run.wait(40_000);
      link.answer(link.submit(), 0x14, "");
    }
  };
  expect(waited(again)).toBe("");
  const away = (run: Scene, link: ReturnType<typeof linkTo>) => {
    run.wait(10_000);
    link.close();
    run.wait(8 * MINUTE_MS);
  };
  expect(waited(away)).toBe("");
});

test("a message that was put off may expire where its account was suspended, and one that was accepted in part is another's", () => {
  const suspended = (run: Scene) => {
    run.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, { data: {} });
    run.wait(9 * MINUTE_MS);
  };
  expect(waited(suspended)).toBe("");
  expect(waited((run) => run.wait(9 * MINUTE_MS), 0)).toBe("");
});

test("a message that was put off may expire while its operator is paused, and not beside a pause of another or after it", () => {
  const paused = (code: string, forMs: number) => (run: Scene) => {
    run.command("operator pause", { CODE: code, reason: "x" }, { data: {} });
    run.wait(forMs);
    run.command("operator resume", { CODE: code }, { data: {} });
    run.wait(9 * MINUTE_MS - forMs);
  };
  expect(waited(paused("orange", 8 * MINUTE_MS))).toBe("");
  expect(waited(paused("moov", 8 * MINUTE_MS))).toContain("tried-again");
  expect(waited(paused("orange", MINUTE_MS))).toContain("tried-again");
});

test("a pause lasts until a resume of all that it held was done, whatever was asked before", () => {
  const kept = (only: Readonly<Record<string, string>>, outcome: Outcome) => (run: Scene) => {
    run.command("operator pause", { CODE: "orange", reason: "x" }, { data: {} });
    run.wait(MINUTE_MS);
    run.command("operator resume", { CODE: "orange", ...only }, outcome);
    run.wait(8 * MINUTE_MS);
  };
  expect(waited(kept({}, { code: "STOPPING", detail: "it stops" }))).toBe("");
  expect(waited(kept({ CONNECTION: "1" }, { data: {} }))).toBe("");
});
