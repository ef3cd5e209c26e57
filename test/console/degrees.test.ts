import { expect, test } from "vitest";
import type { LiveConnection, LiveTrouble } from "../../src/console/server/live/live-view.ts";
import { alarmDegree, byDegree, troubleDegree } from "../../src/console/ui/state/degrees.ts";
import { said } from "../../src/i18n/phrase.ts";

type Link = Pick<LiveConnection, "operator" | "state" | "paused" | "refusing">;
const up: Link = { operator: "orange", state: "BOUND", paused: null, refusing: null };
const down: Link = { ...up, state: "WAITING" };
const alarm = (rule: string, subject = "") => ({ rule, subject });
const check = (name: string): LiveTrouble => ({ kind: "CHECK", check: name, found: said("x"), action: null });
const trouble = (kind: "DOWN" | "REFUSING" | "PAUSED"): LiveTrouble =>
  ({
    kind,
    operator: "orange",
    connection: null,
    next_attempt_at: null,
    why: kind === "PAUSED" ? "works" : null,
    code: "ESME_RSYSERR",
    answer: "an error",
  }) as LiveTrouble;

test("what keeps messages from leaving stops sending, and everything else is only wrong", () => {
  for (const rule of ["operator_down", "number_stopped", "otp_waits", "transactional_waits", "disk", "clock"])
    expect([rule, alarmDegree(alarm(rule), [])]).toEqual([rule, "stops"]);
  for (const rule of ["link_down", "backup", "drill", "certificate", "endpoint", "wallet_low", "books"])
    expect([rule, alarmDegree(alarm(rule), [])]).toEqual([rule, "wrong"]);
  for (const name of ["ready", "database", "disk", "clock", "queue"])
    expect([name, troubleDegree(check(name), [])]).toEqual([name, "stops"]);
  for (const name of ["backup", "books", "certificates", "webhooks", "a later one"])
    expect([name, troubleDegree(check(name), [])]).toEqual([name, "wrong"]);
});

test("an operator that is away or takes nothing stops sending only where none of its connections takes messages", () => {
  for (const kind of ["DOWN", "REFUSING"] as const) {
    expect(troubleDegree(trouble(kind), [down])).toBe("stops");
    expect(troubleDegree(trouble(kind), [down, { ...up, operator: "moov" }])).toBe("stops");
    expect(troubleDegree(trouble(kind), [down, up])).toBe("wrong");
  }
  expect(alarmDegree(alarm("not_taken", "orange 1"), [down])).toBe("stops");
  expect(alarmDegree(alarm("not_taken", "orange 1"), [down, up])).toBe("wrong");
});

test("a pause is meant: it does not count as what stops sending", () => {
  expect(troubleDegree(trouble("PAUSED"), [{ ...up, paused: "works" }])).toBe("wrong");
  const other: LiveTrouble[] = [
    { kind: "PUT_OFF", operator: "orange", messages: 3 },
    { kind: "STRAY", operator: "gone", messages: 3 },
  ];
  expect(other.map((each) => troubleDegree(each, [up]))).toEqual(["wrong", "wrong"]);
});

test("everything that is wrong is of one degree", () => {
  const now = { alarms: [], troubles: [trouble("DOWN"), trouble("PAUSED"), check("disk")], connections: [] };
  const all = (["stops", "wrong"] as const).flatMap((degree) => byDegree(now, degree).troubles);
  expect(all.length).toBe(3);
  expect(new Set(all).size).toBe(3);
});
