/** What the start page of staff says beside alarms: nothing that is so is hidden behind "nothing is wrong". */

import { expect, test } from "vitest";
import type { LiveConnection, LiveQueue } from "../../src/console/server/live/live-view.ts";
import { deriveTroubles, type TroubleSources } from "../../src/console/server/live/troubles.ts";
import { countConnections } from "../../src/console/ui/state/count-connections.ts";
import { downAdvice } from "../../src/console/ui/words/down-advice.ts";
import { phrase, said } from "../../src/i18n/phrase.ts";
import type { TroublesWords } from "../../src/i18n/words.gen.d.ts";
import { RULE_NAMES } from "../../src/ops/alerts/rules.ts";
import { bindRefusal, socketFault } from "../../src/smpp/dial.ts";
import { STATUS } from "../../src/smpp/status.ts";
import { wordsIn } from "../kit/page-words.ts";

const TROUBLES_EN = wordsIn<TroublesWords>("en", "troubles");
const TROUBLES_FR = wordsIn<TroublesWords>("fr", "troubles");

const link = (changes: Partial<LiveConnection> = {}): LiveConnection => ({
  operator: "orange",
  connection: 1,
  state: "BOUND",
  since: null,
  sent_last_second: 0,
  rate: 30,
  in_flight: 0,
  window: 10,
  paused: null,
  next_attempt_at: null,
  last_error: null,
  refusing: null,
  ...changes,
});
const queue = (changes: Partial<LiveQueue> = {}): LiveQueue => ({
  operator: "orange",
  message_class: "OTP",
  messages: 3,
  postponed: 0,
  oldest_at: null,
  ...changes,
});
const seen = (changes: Partial<TroubleSources> = {}): TroubleSources => ({
  connections: [link()],
  queues: [queue()],
  alarms: [],
  checks: [],
  configured: ["orange"],
  ...changes,
});
const check = (name: string, status: "ok" | "degraded" | "down" = "degraded") => ({
  name,
  status,
  since: "2026-03-02T09:00:00.000Z",
  detail: said(`what ${name} is`),
  action: said("do it"),
});

test("nothing where every connection takes messages and every check is well", () => {
  expect(deriveTroubles(seen({ checks: [check("disk", "ok")] }))).toEqual([]);
});

test("a pause is told with its reason: of the operator where all its connections have it, else of each", () => {
  const paused = link({ paused: "works" });
  expect(deriveTroubles(seen({ connections: [paused] }))).toEqual([
    { kind: "PAUSED", operator: "orange", connection: null, next_attempt_at: null, why: "works" },
  ]);
  expect(deriveTroubles(seen({ connections: [link(), link({ connection: 2, paused: "works" })] }))).toEqual([
    { kind: "PAUSED", operator: "orange", connection: 2, next_attempt_at: null, why: "works" },
  ]);
});

test("what is out of reach is told until its alarm does, and again while that is silenced", () => {
  const down = link({ state: "WAITING", last_error: said("refused") });
  const told = [
    { kind: "DOWN", operator: "orange", connection: null, next_attempt_at: null, why: said("refused") },
  ];
  expect(deriveTroubles(seen({ connections: [down] }))).toEqual(told);
  const alarms = [{ rule: "operator_down", subject: "orange" }];
  expect(deriveTroubles(seen({ connections: [down], alarms }))).toEqual([]);
  const another = [{ rule: "operator_down", subject: "moov" }];
  expect(deriveTroubles(seen({ connections: [down], alarms: another }))).toEqual(told);
});

test("a number of WhatsApp that Meta has stopped or that is paused is told; one that is switched off is nobody's trouble", () => {
  const number = { operator: "whatsapp:main", connection: 0 };
  const stopped = link({ ...number, state: "STOPPED", last_error: said("the bill is unpaid") });
  expect(deriveTroubles(seen({ connections: [stopped] }))).toEqual([
    {
      kind: "DOWN",
      operator: "whatsapp:main",
      connection: null,
      next_attempt_at: null,
      why: said("the bill is unpaid"),
    },
  ]);
  const alarms = [{ rule: "number_stopped", subject: "whatsapp:main" }];
  expect(deriveTroubles(seen({ connections: [stopped], alarms }))).toEqual([]);
  expect(deriveTroubles(seen({ connections: [link({ ...number, paused: "trial" })] }))).toMatchObject([
    { kind: "PAUSED", operator: "whatsapp:main" },
  ]);
  expect(deriveTroubles(seen({ connections: [link({ ...number, state: "DISABLED" })] }))).toEqual([]);
});

test("an operator that takes nothing is told with its answer, until the alarm tells it", () => {
  const refusing = { code: "0x08", answer: "system error", answers: 8 };
  expect(deriveTroubles(seen({ connections: [link({ refusing })] }))).toEqual([
    {
      kind: "REFUSING",
      operator: "orange",
      connection: null,
      next_attempt_at: null,
      code: "0x08",
      answer: "system error",
    },
  ]);
  const alarms = [{ rule: "not_taken", subject: "orange 1" }];
  expect(deriveTroubles(seen({ connections: [link({ refusing })], alarms }))).toEqual([]);
});

test("texts that an operator puts off again and again are told although it takes others", () => {
  const queues = [queue({ postponed: 1 }), queue({ message_class: "MARKETING", postponed: 4 })];
  expect(deriveTroubles(seen({ queues }))).toEqual([{ kind: "PUT_OFF", operator: "orange", messages: 5 }]);
});

test("what waits for an operator that the configuration has not is told", () => {
  expect(deriveTroubles(seen({ configured: ["moov"] }))).toEqual([
    { kind: "STRAY", operator: "orange", messages: 3 },
  ]);
});

test("a check that is not well is told, but where an alarm tells the same", () => {
  const checks = ["operators", "alarms", "backup", "database"].map((name) => check(name));
  const found = deriveTroubles(seen({ checks }));
  expect(found).toEqual(
    ["backup", "database"].map((name) => ({
      kind: "CHECK",
      check: name,
      found: said(`what ${name} is`),
      action: said("do it"),
    })),
  );
  expect(deriveTroubles(seen({ checks, alarms: [{ rule: "backup", subject: "" }] }))).toMatchObject([
    { check: "database" },
  ]);
});

test("every rule has a name in both languages", () => {
  for (const words of [TROUBLES_EN, TROUBLES_FR])
    expect([...RULE_NAMES, "test"].filter((rule) => !(rule in words.rules))).toEqual([]);
});

test("advice on an operator that is out of reach fits what went wrong, and says when it is tried again", () => {
  const place = { host: "smsc", port: 2775, bind: "transceiver", tls: null } as const;
  const socket = (code: string) => socketFault(Object.assign(new Error(code), { code }), place);
  const causes = [
    [socket("ECONNREFUSED"), "NOBODY_LISTENS"],
    [socket("ENOTFOUND"), "NO_NAME"],
    [socket("EHOSTUNREACH"), "NO_WAY"],
    [bindRefusal(STATUS.RINVPASWD, place), "CREDENTIALS"],
    [bindRefusal(STATUS.RINVSYSID, place), "CREDENTIALS"],
    [bindRefusal(STATUS.RBINDFAIL, place), "CREDENTIALS"],
    [bindRefusal(STATUS.RALYBND, place), "BOUND_ALREADY"],
    [socket("CERT_HAS_EXPIRED"), "CERTIFICATE"],
    [socket("ECONNRESET"), "CUT"],
    [phrase("link.no_enquiry_answer"), "OTHER"],
  ] as const;
  for (const words of [TROUBLES_EN, TROUBLES_FR])
    for (const [why, cause] of causes)
      expect(downAdvice(words, why, "12:03:05")).toBe(
        `${words.downTodo[cause]} ${words.downAgain({ time: "12:03:05" })}`,
      );
  expect(downAdvice(TROUBLES_FR, null, null)).not.toContain("mot de passe");
  expect(TROUBLES_FR.downTodo.NOBODY_LISTENS).not.toContain("mot de passe");
});

test("a connection that is bound and paused is not counted as one that takes messages", () => {
  const connections = [link(), link({ paused: "incident" }), link({ state: "WAITING" })];
  expect(countConnections(connections)).toEqual({ up: 1, paused: 1 });
});
