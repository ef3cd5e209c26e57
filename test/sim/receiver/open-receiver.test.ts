import { describe, expect, test } from "vitest";
import type { EventAnswer } from "../actors.ts";
import { stillEdges } from "../kit.ts";
import type { ReceiverHabits } from "../plan.ts";
import { eventNumbers, openReceiver } from "./open-receiver.ts";

const GOOD: ReceiverHabits = { answerMs: [5, 5], fail: 0, failures: [500], broken: 0, silent: 0 };
const EVENT = { url: "https://hook.example/hook", headers: { "x-a": "1" }, body: "{}" };

async function answersTo(habits: Partial<ReceiverHabits>, events = 1) {
  const edges = stillEdges();
  const plan = { name: "hook", url: EVENT.url, habits: { ...GOOD, ...habits } };
  const receiver = openReceiver(edges, plan, eventNumbers());
  const answers: EventAnswer[] = [];
  for (let event = 0; event < events; event++) {
    void receiver.receive(EVENT).then((answer) => answers.push(answer));
  }
  await edges.clock.passSettling(1000);
  const soon = answers.length;
  await edges.clock.passSettling(100_000);
  return { answers, soon, seen: edges.seen, receiver };
}

describe("a receiver", () => {
  test("answers 200, and writes down the event when it came and the answer when it went", async () => {
    const { answers, seen } = await answersTo({});
    expect(answers).toEqual([{ kind: "status", status: 200, headers: {} }]);
    expect(seen).toEqual([
      { kind: "event", id: 1, ...EVENT, atMs: 0 },
      { kind: "event answer", id: 1, answer: 200, atMs: 5 },
    ]);
  });

  test("fails in each of its ways, with what goes along", async () => {
    const { answers } = await answersTo({ fail: 1, failures: [302, 503, 410] }, 60);
    const said = answers.map((answer) => (answer.kind === "status" ? answer : null));
    expect(new Set(said.map((answer) => answer?.status))).toEqual(new Set([302, 503, 410]));
    expect(said.find((answer) => answer?.status === 302)?.headers).toHaveProperty("location");
    expect(said.find((answer) => answer?.status === 503)?.headers).toHaveProperty("retry-after");
  });

  test("is broken off, is silent, or says 200 too late", async () => {
    expect((await answersTo({ broken: 1 })).answers).toEqual([{ kind: "broken" }]);
    const silent = await answersTo({ silent: 1 });
    expect(silent.answers).toEqual([{ kind: "silent" }]);
    expect(silent.seen.at(-1)).toMatchObject({ kind: "fault", name: "receiver: silent" });
    const late = await answersTo({ fail: 1, failures: [200] });
    expect([late.soon, late.answers.length]).toEqual([0, 1]);
  });

  test("takes up other habits for the events that come", async () => {
    const { receiver } = await answersTo({});
    receiver.change({ fail: 1 });
    expect(receiver.habits()).toEqual({ ...GOOD, fail: 1 });
  });

  test("numbers events for all receivers of a run together", async () => {
    const numbers = eventNumbers();
    const edges = stillEdges();
    const plan = { name: "hook", url: EVENT.url, habits: GOOD };
    void openReceiver(edges, plan, numbers).receive(EVENT);
    void openReceiver(edges, plan, numbers).receive(EVENT);
    expect(edges.seen.flatMap((one) => (one.kind === "event" ? [one.id] : []))).toEqual([1, 2]);
  });
});
