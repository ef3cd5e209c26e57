import { describe, expect, test } from "vitest";
import { type PaceMember, SharedPaces } from "../../src/dispatch/shared-pace.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../src/domain/accounts/message-class.ts";

const NOW_MS = 1_000_000;

/** Operators that share a pace, and what each still has waiting; a submit leaves as soon as it is claimed. */
function sharing(throughput: number, waiting: Readonly<Record<string, readonly MessageClass[]>>) {
  const shared = new SharedPaces().of("agg1", throughput)!;
  const sent: string[] = [];
  let nowMs = NOW_MS;
  const queues = Object.entries(waiting).map(([operator, classes]) => {
    const queue = [...classes];
    const pace = shared.open(throughput);
    let pending = 0;
    const member: PaceMember = {
      claimOne: (isWanted) => {
        const first = MESSAGE_CLASSES.find((one) => queue.includes(one) && isWanted(one));
        if (first === undefined) return false;
        queue.splice(queue.indexOf(first), 1);
        pending += 1;
        sent.push(`${operator} ${first}`);
        return true;
      },
      countPending: () => pending,
      isNext: (messageClass) =>
        MESSAGE_CLASSES.slice(0, MESSAGE_CLASSES.indexOf(messageClass) + 1).every(
          (one) => !queue.includes(one),
        ),
      ask: () => {},
    };
    shared.join(member);
    const leave = (): void => {
      for (; pending > 0 && pace.available(nowMs) > 0; pending--) pace.take(nowMs, 1);
    };
    return { member, queue, pace, leave };
  });
  const pass = (ms: number): void => {
    for (const endMs = nowMs + ms; nowMs < endMs; nowMs += 5) {
      shared.distribute(nowMs);
      for (const { leave } of queues) leave();
    }
  };
  return { shared, sent, queues, pass, now: () => nowMs };
}

const many = (count: number, messageClass: MessageClass): MessageClass[] => Array(count).fill(messageClass);

describe("connections that share a pace", () => {
  test("send no more together than one of them may", () => {
    const { sent, queues, pass, now } = sharing(20, {
      orange: many(100, "MARKETING"),
      moov: many(100, "MARKETING"),
    });
    pass(5000);
    expect(sent.length).toBeGreaterThan(95);
    expect(sent.length).toBeLessThanOrEqual(104);
    const own = queues.map(({ pace }) => pace.lastSecond(now()));
    expect(own[0]! + own[1]!).toBeLessThanOrEqual(20);
    expect(Math.abs(own[0]! - own[1]!)).toBeLessThanOrEqual(1);
  });

  test("take turns by operator, however much one has", () => {
    const { sent, pass } = sharing(20, {
      orange: many(100, "MARKETING"),
      moov: many(3, "TRANSACTIONAL"),
      telecel: many(3, "MARKETING"),
    });
    pass(400);
    const round = ["orange MARKETING", "moov TRANSACTIONAL", "telecel MARKETING"];
    expect(sent.slice(0, 6)).toEqual([...round, ...round]);
  });

  test("send the OTP of any operator before all else, and those in turn too", () => {
    const { sent, pass, queues } = sharing(20, {
      orange: many(100, "MARKETING"),
      moov: many(100, "TRANSACTIONAL"),
      telecel: [],
    });
    pass(1000);
    const before = sent.length;
    queues[2]!.queue.push("OTP", "OTP");
    queues[1]!.queue.push("OTP");
    pass(400);
    expect(sent.slice(before, before + 3).sort()).toEqual(["moov OTP", "telecel OTP", "telecel OTP"]);
    expect(sent.slice(before, before + 2)).toContain("moov OTP");
  });

  test("all rest when one of them is told to wait", () => {
    const { sent, pass, queues, now } = sharing(20, {
      orange: many(100, "MARKETING"),
      moov: many(100, "OTP"),
    });
    pass(1000);
    queues[0]!.pace.throttled(now(), now());
    const before = sent.length;
    pass(900);
    expect(sent.length).toBe(before);
    expect(queues.map(({ pace }) => [pace.isResting(now()), pace.grantedPerSecond(now())])).toEqual([
      [true, 10],
      [true, 10],
    ]);
    pass(300);
    expect(sent.length).toBeGreaterThan(before);
  });

  test("claim no more than may leave, so that who comes first leaves first", () => {
    const { shared, queues } = sharing(20, { orange: many(100, "MARKETING"), moov: [] });
    shared.distribute(NOW_MS);
    expect(shared.countPending()).toBe(queues[0]!.pace.available(NOW_MS));
    queues[1]!.queue.push("OTP");
    expect(shared.distribute(NOW_MS)).toBe(false);
  });

  test("let a new message leave at once only where nothing of another goes first", () => {
    const { shared, queues } = sharing(20, { orange: [], moov: ["MARKETING"] });
    const [orange] = queues;
    expect(shared.isNext(orange!.member, "OTP")).toBe(true);
    expect(shared.isNext(orange!.member, "TRANSACTIONAL")).toBe(false);
    queues[1]!.queue.push("OTP");
    expect(shared.isNext(orange!.member, "OTP")).toBe(false);
    shared.leave(queues[1]!.member);
    expect(shared.isNext(orange!.member, "MARKETING")).toBe(true);
  });

  test("are asked again when one leaves", () => {
    const { shared, queues } = sharing(20, { orange: [], moov: [] });
    let asked = 0;
    shared.join({ ...queues[0]!.member, ask: () => (asked += 1) });
    shared.leave(queues[1]!.member);
    expect(asked).toBe(1);
  });
});

describe("a word", () => {
  test("stands for one pace, and none for a connection without one", () => {
    const paces = new SharedPaces();
    expect(paces.of("agg1", 20)).toBe(paces.of("agg1", 20));
    expect(paces.of("agg1", 20)).not.toBe(paces.of("agg2", 20));
    expect(paces.of("", 20)).toBeNull();
  });

  test("has the throughput that its connections have at this moment", () => {
    const shared = new SharedPaces().of("agg1", 20)!;
    const pace = shared.open(20);
    expect(shared.open(30).grantedPerSecond(NOW_MS)).toBe(30);
    expect(pace.grantedPerSecond(NOW_MS)).toBe(30);
  });
});
