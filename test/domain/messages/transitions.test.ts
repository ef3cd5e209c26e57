import { describe, expect, test } from "vitest";
import type { Fact } from "../../../src/domain/messages/facts.ts";
import { findRoute, type RouteChange } from "../../../src/domain/messages/route-changes.ts";
import {
  type AcceptedPart,
  decide,
  deriveStanding,
  type MessageState,
} from "../../../src/domain/messages/transitions.ts";
import * as facts from "../../kit/facts.ts";

const part = (
  number: number,
  state: AcceptedPart["state"],
  remoteKey = `K${number}`,
  attempt = 1,
): AcceptedPart => ({
  part: number,
  state,
  remoteKey,
  errorCode: state === "FAILED" ? `ERROR ${remoteKey}` : null,
  operatorCode: null,
  attempt,
});

describe("where the segments of a message stand together", () => {
  test.each([
    ["nothing accepted yet", 2, [], 0, "waiting"],
    ["one of two accepted", 2, [part(1, "SENT")], 1, "waiting"],
    ["one of two delivered, the other not accepted", 2, [part(1, "DELIVERED")], 1, "waiting"],
    ["one delivered, one on its way", 2, [part(1, "DELIVERED"), part(2, "SENT")], 2, "waiting"],
    ["all delivered", 2, [part(1, "DELIVERED"), part(2, "DELIVERED")], 2, "delivered"],
    ["one lost", 3, [part(1, "DELIVERED"), part(2, "FAILED"), part(3, "SENT")], 3, "failed"],
    [
      "a resend's two ids count as one segment",
      2,
      [part(1, "SENT", "A"), part(1, "SENT", "B")],
      1,
      "waiting",
    ],
    [
      "lost under one id, on its way under another",
      1,
      [part(1, "FAILED", "A"), part(1, "SENT", "B")],
      1,
      "waiting",
    ],
    [
      "lost under one id, delivered under another",
      1,
      [part(1, "FAILED", "A"), part(1, "DELIVERED", "B")],
      1,
      "delivered",
    ],
    ["delivered twice", 1, [part(1, "DELIVERED", "A"), part(1, "DELIVERED", "B")], 1, "delivered"],
    ["lost under every id", 1, [part(1, "FAILED", "A"), part(1, "FAILED", "B")], 1, "failed"],
  ] as const)("%s", (_, segments, parts, accepted, verdict) => {
    for (const order of [[...parts], [...parts].reverse()]) {
      expect(deriveStanding(order, segments)).toMatchObject({ accepted, verdict });
    }
  });

  test("the part that made it fail is named", () => {
    expect(deriveStanding([part(1, "SENT"), part(2, "FAILED")], 2).failed?.errorCode).toBe("ERROR K2");
    expect(deriveStanding([part(1, "FAILED", "A"), part(1, "DELIVERED", "B")], 1).failed).toBeNull();
  });
});

const A_THEN_B: readonly RouteChange[] = [{ attempt: 1, route: "direct", next: "agg" }];
const there = (number: number, attempt: number) => part(number, "DELIVERED", `${attempt}-${number}`, attempt);
const lost = (number: number, attempt: number) => part(number, "FAILED", `${attempt}-${number}`, attempt);
const open = (number: number, attempt: number) => part(number, "SENT", `${attempt}-${number}`, attempt);

describe("the segments of two attempts", () => {
  test.each<[string, AcceptedPart[], number, string]>([
    ["are not added up", [there(1, 1), lost(2, 1), lost(1, 2), there(2, 2)], 2, "failed"],
    [
      "are delivered when all of one are",
      [there(1, 1), lost(2, 1), there(1, 2), there(2, 2)],
      2,
      "delivered",
    ],
    [
      "wait while the other can be delivered",
      [lost(1, 1), open(2, 1), open(1, 2), there(2, 2)],
      2,
      "waiting",
    ],
    ["wait for no attempt that was not accepted whole", [lost(1, 1), open(2, 1), open(1, 2)], 2, "failed"],
  ])("%s", (_, parts, accepted, verdict) => {
    for (const order of [parts, [...parts].reverse()])
      expect(deriveStanding(order, 2, A_THEN_B)).toMatchObject({ accepted, verdict });
  });

  test("of one route join where the second carried the rest, and each counts for itself where it carried all", () => {
    expect(deriveStanding([there(1, 1), there(2, 2)], 2)).toMatchObject({
      accepted: 2,
      verdict: "delivered",
    });
    expect(deriveStanding([lost(1, 1), there(2, 2)], 2).verdict).toBe("failed");
    expect(deriveStanding([there(1, 1), lost(2, 1), lost(1, 2), there(2, 2)], 2).verdict).toBe("failed");
    expect(deriveStanding([lost(1, 1), open(2, 1), there(1, 2), there(2, 2)], 2).verdict).toBe("delivered");
  });

  test("of two routes never join", () => {
    const [one, other] = [there(1, 1), there(2, 2)];
    expect(deriveStanding([one, other], 2, A_THEN_B)).toMatchObject({ accepted: 1, verdict: "waiting" });
    // Back on the first route, the third attempt carried what that had not accepted.
    const back: RouteChange[] = [...A_THEN_B, { attempt: 2, route: "agg", next: "direct" }];
    expect(deriveStanding([one, open(1, 2), there(2, 3)], 2, back)).toMatchObject({
      accepted: 2,
      verdict: "delivered",
    });
  });

  test("know their route by its changes alone", () => {
    const changes: RouteChange[] = [
      { attempt: 1, route: "direct", next: null },
      { attempt: 4, route: "agg", next: "third" },
    ];
    expect([1, 2, 4, 5, 9].map((attempt) => findRoute(changes, attempt))).toEqual([
      "direct",
      "agg",
      "agg",
      "third",
      "third",
    ]);
    expect(findRoute([], 3)).toBeNull();
  });
});

describe("whatever comes of two attempts by two routes, in whatever order", () => {
  const SUBMITTED: MessageState = {
    status: "SUBMITTED",
    isFinal: false,
    isMoneyClosed: false,
    segments: 2,
    price: 15,
    excess: 0,
    amount: 0,
    notBefore: 0,
    routesTried: 0,
    attempts: 2,
    resends: 1,
    unansweredAt: null,
    unansweredUntil: null,
    errorCode: null,
    operatorCode: null,
    submittedAt: 1,
    sentAt: null,
    deliveredAt: null,
    finalizedAt: null,
  };
  type World = { readonly state: MessageState; readonly parts: readonly AcceptedPart[] };

  const accepts = [1, 2].flatMap((attempt) =>
    [1, 2].map((number): Fact => {
      const fact = facts.partAccepted(1, number, `${attempt}-${number}`);
      return { ...fact, trace: { attempt } } as Fact;
    }),
  );
  const receipts = (parts: readonly AcceptedPart[]): Fact[] =>
    parts.flatMap(({ part: number, remoteKey }) => [
      facts.delivered(1, number, remoteKey),
      facts.undelivered(1, number, remoteKey),
    ]);
  const others: Fact[] = [
    facts.refusedForGood(1),
    facts.waitUnanswered(1, 99),
    facts.outcomeUnknown(1),
    facts.receiptOverdue(1),
  ];
  const isWhole = (parts: readonly AcceptedPart[], attempt: number): boolean =>
    parts.filter((one) => one.attempt === attempt).length === 2;
  const has = (parts: readonly AcceptedPart[], attempt: number, state: AcceptedPart["state"]): number =>
    parts.filter((one) => one.attempt === attempt && one.state === state).length;

  // Keeps: behaviour 6.128, 6.129, 6.130
  test.each(["accepted", "delivered"] as const)(
    "each pair of state and fact is judged by attempts (%s)",
    (chargeOn) => {
      const rules = { chargeOn, cancelReason: null, routeChanges: A_THEN_B };
      const seen = new Map<string, World>();
      const left: World[] = [{ state: SUBMITTED, parts: [] }];
      const ends = new Set<string>();
      for (let world = left.pop(); world; world = left.pop()) {
        for (const fact of [...accepts, ...receipts(world.parts), ...others]) {
          const { after, part: written } = decide(world.state, world.parts, fact, rules, 7);
          const known = written
            ? world.parts.filter((one) => one.part !== written.part || one.remoteKey !== written.remoteKey)
            : world.parts;
          const parts = written
            ? [...known, written].sort((a, b) => a.remoteKey.localeCompare(b.remoteKey))
            : known;
          if (world.state.isFinal) expect(after).toBe(world.state);
          if (after.status === "SENT" || after.status === "DELIVERED")
            expect(isWhole(parts, 1) || isWhole(parts, 2)).toBe(true);
          if (after.status !== world.state.status) {
            const delivered = [1, 2].some((attempt) => has(parts, attempt, "DELIVERED") === 2);
            expect(after.status === "DELIVERED").toBe(delivered);
            const whole = [1, 2].filter((attempt) => isWhole(parts, attempt));
            const isLost = whole.length > 0 && whole.every((attempt) => has(parts, attempt, "FAILED") > 0);
            if (fact.kind === "receipt" || fact.kind === "part_accepted")
              expect(after.status === "FAILED").toBe(isLost && !delivered);
          }
          // Once: what is closed is never charged again, and never more than the price.
          if (world.state.isMoneyClosed) expect(after.amount).toBe(world.state.amount);
          if (after.status === "SENT" && chargeOn === "accepted") expect(after.amount).toBe(30);
          expect(after.amount).toBeLessThanOrEqual(30);
          if (after.isFinal) ends.add(`${after.status} ${after.amount}`);
          const next = { state: after, parts };
          const key = JSON.stringify(next);
          if (seen.has(key)) continue;
          seen.set(key, next);
          left.push(next);
        }
      }
      expect(seen.size).toBeGreaterThan(200);
      const free = chargeOn === "accepted" ? "FAILED 30" : "FAILED 0";
      for (const end of ["DELIVERED 30", "SENT 30", free, "FAILED 0"]) expect(ends).toContain(end);
    },
  );
});

describe("while a second SMS is under way", () => {
  const SENT: MessageState = {
    status: "SENT",
    isFinal: false,
    isMoneyClosed: true,
    segments: 1,
    price: 15,
    excess: 0,
    amount: 15,
    notBefore: 0,
    routesTried: 0,
    attempts: 1,
    resends: 0,
    unansweredAt: null,
    unansweredUntil: null,
    errorCode: null,
    operatorCode: null,
    submittedAt: 1,
    sentAt: 2,
    deliveredAt: null,
    finalizedAt: null,
  };
  const rules = { chargeOn: "accepted", cancelReason: null } as const;
  const over: Fact = { kind: "second_over", messageId: 1 };
  const failed = facts.undelivered(1, 1, "1-1");

  test("a failed receipt of the first ends nothing; once the second has ended without acceptance it does", () => {
    const waiting = decide(SENT, [open(1, 1)], failed, { ...rules, isSecondUnderWay: true }, 7);
    expect([waiting.after, waiting.part?.state]).toEqual([SENT, "FAILED"]);
    const ended = decide(SENT, [lost(1, 1)], over, { ...rules, isSecondUnderWay: true }, 7);
    expect(ended.after).toMatchObject({
      status: "FAILED",
      isFinal: true,
      amount: 15,
      errorCode: "ERROR 1-1",
    });
  });

  test("a delivered receipt of the first decides at once", () => {
    const { after } = decide(
      SENT,
      [open(1, 1)],
      facts.delivered(1, 1, "1-1"),
      { ...rules, isSecondUnderWay: true },
      7,
    );
    expect(after.status).toBe("DELIVERED");
  });

  test("its end moves nothing where the first may still be delivered, or the second was accepted", () => {
    expect(decide(SENT, [open(1, 1)], over, rules, 7).after).toBe(SENT);
    expect(decide(SENT, [lost(1, 1), open(1, 2)], over, rules, 7).after).toBe(SENT);
  });

  test("its end moves nothing of a message that is not SENT, or is final", () => {
    for (const status of ["QUEUED", "SUBMITTED", "DELIVERED", "FAILED", "CANCELLED"] as const) {
      const before = { ...SENT, status };
      expect(decide(before, [lost(1, 1)], over, rules, 7).after).toBe(before);
    }
    const closed = { ...SENT, isFinal: true };
    expect(decide(closed, [lost(1, 1)], over, rules, 7).after).toBe(closed);
  });
});
