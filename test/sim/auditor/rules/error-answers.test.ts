import { describe, expect, test } from "vitest";
import { opening, type Scene, SETTINGS } from "../scene.ts";
import { errorAnswers } from "./error-answers.ts";
import { found } from "./found.ts";

const ASKED = { client: "alpha", path: "/account/balance", headers: { "x-request-id": "mine" } };

function problem(code: string, status: number, changes: Readonly<Record<string, unknown>> = {}) {
  const json = {
    type: "/docs/errors",
    title: "No",
    status,
    code,
    detail: "no",
    is_retryable: status === 402 || status === 429 || status >= 500 || code === "REQUEST_IN_PROGRESS",
    request_id: "mine",
    ...changes,
  };
  return { status, json, headers: { "x-request-id": "mine", "retry-after": "5" } };
}

function run(answer: Parameters<Scene["ask"]>[1], before: (scene: Scene) => void = () => {}): string {
  const scene = opening();
  before(scene);
  scene.ask(ASKED, answer);
  return found(scene, errorAnswers);
}

describe("an error", () => {
  test("has its members, its status and the request's id", () => {
    expect(run(problem("NOT_FOUND", 404))).toBe("");
  });

  test("is a finding with another status, without a member, or with another id", () => {
    expect(run(problem("NOT_FOUND", 422))).toContain("error-body");
    expect(run(problem("NOT_FOUND", 404, { detail: undefined }))).toContain("error-body");
    expect(run(problem("NOT_FOUND", 404, { request_id: "other" }))).toContain("error-body");
    expect(run(problem("NOT_FOUND", 404, { is_retryable: true }))).toContain("error-body");
    expect(run(problem("INSUFFICIENT_FUNDS", 402, { is_retryable: false }))).toContain("error-body");
    const other = { ...problem("NOT_FOUND", 404), headers: { "x-request-id": "other" } };
    expect(run(other)).toContain("request-id");
  });

  test("on the appliance's side is a finding unless it starts, stops or has a sick disk", () => {
    expect(run(problem("SERVICE_UNAVAILABLE", 503))).toContain("though nothing was amiss");
    const full = (scene: Scene) => scene.see({ kind: "disk", state: "full" });
    expect(run(problem("SERVICE_UNAVAILABLE", 503), full)).toBe("");
    const stopping = (scene: Scene) => scene.see({ kind: "life", life: 1, what: "stopping" });
    expect(run(problem("SERVICE_UNAVAILABLE", 503), stopping)).toBe("");
    const wellAgain = (scene: Scene) => {
      full(scene);
      scene.see({ kind: "disk", state: "well" });
      scene.wait(10_000);
    };
    expect(run(problem("INTERNAL_ERROR", 500), wellAgain)).toContain("though nothing was amiss");
  });

  test("on the appliance's side is a finding after the clock was set, unless a start found it minutes behind", () => {
    const setBack = (ms: number, isRestarted: boolean) => (scene: Scene) => {
      scene.see({ kind: "clock", byMs: -ms });
      if (!isRestarted) return;
      scene.see({ kind: "life", life: 1, what: "killed" });
      scene.see({ kind: "life", life: 2, what: "starting" });
      scene.see({ kind: "life", life: 2, what: "ready" });
      scene.wait();
    };
    const accepted = (scene: Scene) => {
      setBack(600_000, true)(scene);
      scene.command("clock accept", {}, { data: {} });
      scene.wait(10_000);
    };
    const agreed = (scene: Scene) => {
      setBack(600_000, true)(scene);
      scene.wait(700_000);
    };
    const unavailable = problem("SERVICE_UNAVAILABLE", 503);
    expect(run(unavailable, setBack(600_000, true))).toBe("");
    expect(run(unavailable, setBack(600_000, false))).toContain("though nothing was amiss");
    expect(run(unavailable, setBack(10_000, true))).toContain("though nothing was amiss");
    expect(run(unavailable, accepted)).toContain("though nothing was amiss");
    expect(run(unavailable, agreed)).toContain("though nothing was amiss");
  });

  test("on the appliance's side is none after a start that found the clock ahead by more than 400 days, until it agrees", () => {
    const ahead = (days: number, isDown: boolean, then?: "set right" | "set right and started anew") => {
      const byMs = days * 86_400_000;
      const start = (scene: Scene, life: number) => {
        scene.see({ kind: "life", life, what: "starting" });
        scene.see({ kind: "life", life, what: "ready" });
        scene.wait();
      };
      return (scene: Scene) => {
        if (isDown) scene.see({ kind: "life", life: 1, what: "killed" });
        scene.see({ kind: "clock", byMs });
        if (isDown) start(scene, 2);
        if (then === undefined) return;
        scene.wait(10_000);
        scene.see({ kind: "clock", byMs: -byMs });
        scene.wait(10_000);
        if (then === "set right") return;
        scene.see({ kind: "life", life: 2, what: "killed" });
        start(scene, 3);
      };
    };
    const unavailable = problem("SERVICE_UNAVAILABLE", 503);
    expect(run(unavailable, ahead(500, true))).toBe("");
    expect(run(unavailable, ahead(300, true))).toContain("though nothing was amiss");
    expect(run(unavailable, ahead(500, false))).toContain("though nothing was amiss");
    expect(run(unavailable, ahead(500, true, "set right"))).toContain("though nothing was amiss");
    expect(run(unavailable, ahead(500, true, "set right and started anew"))).toContain(
      "though nothing was amiss",
    );
  });

  test("for want of a price is a finding where the operator has one", () => {
    const submitted = (price: number | undefined) => {
      const { orange, moov } = SETTINGS.operators;
      const scene = opening();
      scene.see({
        kind: "settings",
        document: { ...SETTINGS, operators: { orange, moov: { ...moov, price } } },
      });
      scene.wait(10_000);
      const recipients = [{ msisdn: "+22670112233" }];
      const body = { sender: "ACME", body: "x", message_class: "OTP", recipients };
      const headers = { ...ASKED.headers, "idempotency-key": "k" };
      scene.ask(
        { ...ASKED, path: "/batches", method: "POST", headers, body },
        problem("CONFIGURATION_ERROR", 500),
      );
      return found(scene, errorAnswers);
    };
    expect(submitted(undefined)).toBe("");
    expect(submitted(20)).toContain("though nothing was amiss");
  });

  test("that passes says when to come again", () => {
    const answer = problem("RATE_LIMITED", 429);
    expect(run(answer)).toBe("");
    expect(run({ ...answer, headers: { "x-request-id": "mine" } })).toContain("retry-after");
  });
});
