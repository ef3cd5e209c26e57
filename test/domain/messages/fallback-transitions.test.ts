import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import type { FallbackLeg, MessageLegs } from "../../../src/domain/messages/fallback-legs.ts";
import {
  continuesByFallback,
  decideFallback,
  type FallbackRules,
  toPublicStatus,
} from "../../../src/domain/messages/fallback-transitions.ts";
import { costOf, reservedOf } from "../../../src/domain/messages/message-money.ts";
import type { AcceptedPart, MessageState } from "../../../src/domain/messages/transitions.ts";

/** WhatsApp at 5, an SMS of two segments at 12 each: 24 is reserved. */
const FIRST: FallbackLeg = { operator: "whatsapp:main", encoding: "UCS2", segments: 1, price: 5, text: null };
const SMS: FallbackLeg = { operator: "orange", encoding: "GSM7", segments: 2, price: 12, text: null };
const RULES: FallbackRules = {
  chargeOn: "delivered",
  cancelReason: null,
  isSuspended: false,
  fallback: { body: "Bonjour", chargeOn: "accepted", validityMs: 600_000 },
};
const NOW = 1_000_000;

const QUEUED: MessageState = {
  status: "QUEUED",
  isFinal: false,
  isMoneyClosed: false,
  segments: 1,
  price: 5,
  excess: 19,
  amount: 0,
  notBefore: 0,
  routesTried: 0,
  attempts: 0,
  resends: 0,
  unansweredAt: null,
  unansweredUntil: null,
  errorCode: null,
  operatorCode: null,
  submittedAt: null,
  sentAt: null,
  deliveredAt: null,
  finalizedAt: null,
};
const UNUSED: MessageLegs = {
  stage: "FIRST",
  other: SMS,
  end: null,
  dueAt: null,
  expiresAt: null,
  claimed: 0,
  excess: 19,
  firstCost: null,
  shown: null,
  submittedAt: null,
  sentAt: null,
  movedAt: null,
};

type World = {
  state: MessageState;
  legs: MessageLegs;
  carried: FallbackLeg;
  parts: AcceptedPart[];
  reached: string[];
};

const fresh = (): World => ({ state: QUEUED, legs: UNUSED, carried: FIRST, parts: [], reached: [] });

function moved(world: World, fact: Fact, changes: Partial<FallbackRules> = {}, atMs = NOW): World {
  const decision = decideFallback(world.state, world, world.parts, fact, { ...RULES, ...changes }, atMs);
  const isOn = decision.carried !== null && decision.legs.stage === "SECOND";
  const parts = isOn ? [] : [...world.parts];
  if (decision.part && !isOn) {
    const known = parts.findIndex(({ remoteKey }) => remoteKey === decision.part?.remoteKey);
    if (known >= 0) parts[known] = decision.part;
    else parts.push(decision.part);
  }
  const reached = [...world.reached, ...decision.reached];
  return {
    state: decision.after,
    legs: decision.legs,
    carried: decision.carried ?? world.carried,
    parts,
    reached,
  };
}

const messageId = 1;
const of = (fact: object) => ({ messageId, ...fact }) as Fact;
/** What happens, by its name. */
const FACTS = {
  posted: of({ kind: "claimed", operator: "whatsapp:main" }),
  taken: of({
    kind: "part_accepted",
    part: 1,
    operator: "whatsapp:main",
    remoteId: "w",
    remoteKey: "w",
    final: false,
    isFirstLeg: true,
  }),
  unknown: of({
    kind: "receipt",
    part: 1,
    remoteKey: "w",
    verdict: { kind: "failed", error: { code: "UNKNOWN_SUBSCRIBER", operatorCode: "131026" } },
    isFirstLeg: true,
  }),
  optedOut: of({
    kind: "receipt",
    part: 1,
    remoteKey: "w",
    verdict: { kind: "failed", error: { code: "RECIPIENT_OPTED_OUT", operatorCode: "131050" } },
    isFirstLeg: true,
  }),
  refused: of({
    kind: "refused",
    error: { code: "TEMPLATE_UNAVAILABLE", operatorCode: "132001" },
    isFirstLeg: true,
  }),
  doubted: of({ kind: "unanswered", next: "wait", untilMs: NOW + 1, isFirstLeg: true }),
  unheard: of({ kind: "outcome_unknown" }),
  silent: of({ kind: "first_silent" }),
  closed: of({ kind: "receipt_overdue", isFree: true, isFirstLeg: true }),
  late: of({ kind: "receipt", part: 1, remoteKey: "w", verdict: { kind: "delivered" }, isFirstLeg: true }),
  free: of({
    kind: "receipt",
    part: 1,
    remoteKey: "w",
    verdict: { kind: "delivered", isFree: true },
    isFirstLeg: true,
  }),
  claimed: of({ kind: "claimed", operator: "orange" }),
  notWritten: of({ kind: "not_written" }),
  later: of({ kind: "postponed", notBeforeMs: NOW, operatorCode: "88" }),
  part1: of({
    kind: "part_accepted",
    part: 1,
    operator: "orange",
    remoteId: "a",
    remoteKey: "a",
    final: false,
  }),
  part2: of({
    kind: "part_accepted",
    part: 2,
    operator: "orange",
    remoteId: "b",
    remoteKey: "b",
    final: false,
  }),
  rejected: of({ kind: "refused", error: { code: "OPERATOR_REJECTED", operatorCode: "8" } }),
  there1: of({ kind: "receipt", part: 1, remoteKey: "a", verdict: { kind: "delivered" } }),
  there2: of({ kind: "receipt", part: 2, remoteKey: "b", verdict: { kind: "delivered" } }),
  gone: of({ kind: "given_up", error: { code: "EXPIRED_IN_QUEUE", operatorCode: null } }),
  cancelled: of({ kind: "cancelled", error: { code: "CANCELLED", operatorCode: null } }),
} as const;
type Name = keyof typeof FACTS;

const through = (...names: Name[]): World =>
  names.reduce((world, name) => moved(world, FACTS[name]), fresh());
const end = ({ state, legs }: World) => [legs.stage, state.status, state.amount, state.isFinal];

describe("a message with two ways", () => {
  test.each<[string, Name[], unknown[]]>([
    ["arrives by its first", ["posted", "taken", "late"], ["FIRST", "DELIVERED", 5, true]],
    ["that bills nobody costs nothing", ["posted", "taken", "free"], ["FIRST", "DELIVERED", 0, true]],
    ["whose user stopped it ends there", ["posted", "taken", "optedOut"], ["FIRST", "FAILED", 0, true]],
    ["goes on when it failed", ["posted", "taken", "unknown"], ["SECOND", "QUEUED", 0, false]],
    ["goes on when it was refused", ["posted", "refused"], ["SECOND", "QUEUED", 0, false]],
    ["goes on after a doubt", ["posted", "doubted", "unheard"], ["SECOND", "QUEUED", 0, false]],
    ["goes on after a silence", ["posted", "taken", "silent"], ["SECOND", "QUEUED", 0, false]],
    ["goes on where nobody tells more", ["posted", "taken", "closed"], ["SECOND", "QUEUED", 0, false]],
    ["goes on from the queue", ["silent"], ["SECOND", "QUEUED", 0, false]],
    ["ends where it waits", ["gone"], ["FIRST", "FAILED", 0, true]],
    ["is not posted once it has gone on", ["silent", "posted"], ["SECOND", "QUEUED", 0, false]],
    [
      "arrives late, before the SMS is claimed",
      ["posted", "taken", "silent", "late"],
      ["BACK", "DELIVERED", 5, true],
    ],
    ["arrives late, in doubt", ["posted", "doubted", "silent", "late"], ["BACK", "DELIVERED", 5, true]],
    [
      "is charged as an SMS",
      ["posted", "refused", "claimed", "part1", "part2"],
      ["SECOND", "SENT", 24, false],
    ],
    [
      "arrives by SMS",
      ["posted", "refused", "claimed", "part1", "part2", "there1", "there2"],
      ["SECOND", "DELIVERED", 24, true],
    ],
    [
      "arrives late, and the SMS was accepted",
      ["posted", "taken", "silent", "claimed", "late", "part1", "part2"],
      ["SECOND", "SENT", 24, false],
    ],
    [
      "arrives late, and the SMS fails for nothing",
      ["posted", "taken", "silent", "claimed", "late", "rejected"],
      ["BACK", "DELIVERED", 5, true],
    ],
    [
      "arrives late for free, and the SMS fails for nothing",
      ["posted", "taken", "silent", "claimed", "free", "rejected"],
      ["BACK", "DELIVERED", 0, true],
    ],
    [
      "arrives late, and the SMS fails with a part that costs",
      ["posted", "taken", "silent", "claimed", "part1", "late", "rejected"],
      ["SECOND", "FAILED", 12, true],
    ],
    [
      "arrives late, and not an octet of the SMS was written",
      ["posted", "taken", "silent", "claimed", "late", "notWritten"],
      ["BACK", "DELIVERED", 5, true],
    ],
    [
      "arrives late while the SMS waits for another try",
      ["posted", "taken", "silent", "claimed", "later", "late"],
      ["SECOND", "QUEUED", 0, false],
    ],
    [
      "arrives late, and that SMS expires",
      ["posted", "taken", "silent", "claimed", "later", "late", "gone"],
      ["BACK", "DELIVERED", 5, true],
    ],
    [
      "fails by both",
      ["posted", "taken", "unknown", "silent", "claimed", "rejected"],
      ["SECOND", "FAILED", 0, true],
    ],
    [
      "is called off while the SMS waits",
      ["posted", "silent", "cancelled"],
      ["SECOND", "CANCELLED", 0, true],
    ],
  ])("%s", (_, names, expected) => {
    expect(end(through(...names))).toEqual(expected);
  });

  test.each([
    ["once it is called off", { cancelReason: "CANCELLED" }, null],
    ["while its account is suspended, and is looked at again", { isSuspended: true }, NOW + 60_000],
    [
      "once it is called off and its account suspended",
      { cancelReason: "CANCELLED", isSuspended: true },
      null,
    ],
  ])("does not go on %s", (_, changes, dueAt) => {
    const posted = through("posted", "taken");
    expect(end(moved(posted, FACTS.unknown, changes))).toEqual(["FIRST", "FAILED", 0, true]);
    const silent = moved({ ...posted, legs: { ...posted.legs, dueAt: NOW } }, FACTS.silent, changes);
    expect([...end(silent), silent.legs.dueAt]).toEqual(["FIRST", "SENT", 0, false, dueAt]);
  });

  test("goes on where it waits in vain for the rest of its validity, once its time has begun", () => {
    const waiting = { ...fresh(), legs: { ...UNUSED, dueAt: NOW + 60_000 } };
    expect(end(moved(waiting, FACTS.gone))).toEqual(["SECOND", "QUEUED", 0, false]);
    const called = moved(waiting, FACTS.gone, { cancelReason: "CANCELLED" });
    expect(end(called)).toEqual(["FIRST", "FAILED", 0, true]);
    const unregistered = of({
      kind: "given_up",
      error: { code: "SENDER_NOT_REGISTERED", operatorCode: null },
    });
    expect(end(moved(waiting, unregistered))).toEqual(["FIRST", "FAILED", 0, true]);
  });

  test("is waited for from its latest post: while it waits for another turn nothing runs", () => {
    const posted = through("posted");
    const timed = { ...posted, legs: { ...posted.legs, dueAt: NOW + 60_000 } };
    expect(moved(timed, FACTS.taken).legs.dueAt).toBe(NOW + 60_000);
    const again = of({ kind: "postponed", notBeforeMs: NOW, operatorCode: "131056", isFirstLeg: true });
    expect(moved(timed, again)).toMatchObject({ state: { status: "QUEUED" }, legs: { dueAt: null } });
  });

  test("tells what became of its first way, also after it was left, and takes back nothing that it told", () => {
    const first = (...names: Name[]) => {
      const { status, errorCode } = through(...names).legs.end ?? {};
      return [status, errorCode];
    };
    const left: Name[] = ["posted", "taken", "silent", "claimed"];
    expect(first(...left)).toEqual(["SENT", null]);
    expect(first(...left, "late")).toEqual(["DELIVERED", null]);
    expect(first(...left, "unknown")).toEqual(["FAILED", "UNKNOWN_SUBSCRIBER"]);
    expect(first(...left, "late", "unknown")).toEqual(["DELIVERED", null]);
    expect(first(...left, "unknown", "optedOut")).toEqual(["FAILED", "UNKNOWN_SUBSCRIBER"]);
    expect(first("posted", "doubted", "silent", "refused")).toEqual(["FAILED", "TEMPLATE_UNAVAILABLE"]);
    expect(end(through(...left, "unknown"))).toEqual(["SECOND", "SUBMITTED", 0, false]);
    expect(first("posted", "taken", "silent", "claimed", "rejected", "late")).toEqual(["SENT", null]);
  });

  test("is not claimed when its fallback is over", () => {
    const on = through("posted", "refused");
    expect(moved(on, FACTS.claimed, {}, NOW + 600_000).state.status).toBe("QUEUED");
    expect(moved(on, FACTS.claimed, {}, NOW + 599_999).state.status).toBe("SUBMITTED");
  });

  test("is taken for one that was claimed where it may have left, also when its fallback is over", () => {
    const on = through("posted", "refused");
    const claimed = of({ kind: "claimed", mayHaveLeft: true });
    const { state, legs } = moved(on, claimed, {}, NOW + 600_000);
    expect([state.status, legs.claimed]).toEqual(["SUBMITTED", 1]);
  });

  test("shows its client no step back, and counts each state once", () => {
    const names: Name[] = ["posted", "taken", "silent", "claimed", "part1", "part2", "there1", "there2"];
    let world = fresh();
    const seen: string[] = [];
    for (const name of names) {
      world = moved(world, FACTS[name]);
      seen.push(toPublicStatus(world.state.status, world.legs.shown));
    }
    expect([...new Set(seen)]).toEqual(["SUBMITTED", "SENT", "DELIVERED"]);
    expect(world.reached).toEqual(["SUBMITTED", "SENT", "DELIVERED"]);
  });

  test("whatever comes in whatever order, it ends once, is squared to the franc, and stays so", () => {
    const names = Object.keys(FACTS) as Name[];
    let worlds = [fresh()];
    let ends = 0;
    for (let depth = 0; depth < 5; depth++) {
      const next = new Map<string, World>();
      for (const world of worlds) {
        for (const name of names) {
          // A receipt is matched to a part before it is a fact; one of the first way is about a post.
          const fact = FACTS[name];
          const isOfPart =
            fact.kind === "receipt" && !world.parts.some(({ remoteKey }) => remoteKey === fact.remoteKey);
          if (isOfPart && (!fact.isFirstLeg || world.legs.stage === "FIRST")) continue;
          const now = moved(world, fact);
          expect(reservedOf(now.state)).toBe(24);
          expect(now.state.amount).toBeLessThanOrEqual(costOf(now.state));
          expect(new Set(now.reached).size).toBe(now.reached.length);
          if (world.state.isFinal) {
            expect(now.state).toEqual(world.state);
            ends += 1;
          }
          if (now.state.isFinal) expect(now.state.isMoneyClosed).toBe(true);
          next.set(JSON.stringify(now), now);
        }
      }
      worlds = [...next.values()];
    }
    expect(ends).toBeGreaterThan(1000);
  });
});

test("what leads on is what the first channel cannot do, and nothing that the user or anybody else decided", () => {
  const yes = [
    "UNKNOWN_SUBSCRIBER",
    "WINDOW_CLOSED",
    "CHANNEL_LIMIT",
    "PARAMETER_REFUSED",
    "TEMPLATE_UNAVAILABLE",
  ];
  for (const code of [...yes, "SUBMIT_OUTCOME_UNKNOWN", "RECEIPT_NOT_RECEIVED"])
    expect(continuesByFallback(code, null)).toBe(true);
  expect(continuesByFallback("OPERATOR_REJECTED", "130497")).toBe(true);
  for (const code of [
    "RECIPIENT_OPTED_OUT",
    "SUPPRESSED",
    "CANCELLED",
    "SCHEDULE_TOO_LATE",
    "EXPIRED_IN_QUEUE",
  ])
    expect(continuesByFallback(code, null)).toBe(false);
  expect(continuesByFallback("OPERATOR_REJECTED", "131051")).toBe(false);
});
