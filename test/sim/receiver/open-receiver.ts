import type { Chance } from "../../../src/core/chance.ts";
import type { ActorEdges, EventAnswer, Receive } from "../actors.ts";
import { between, forked, happens, seedFrom } from "../chance.ts";
import { habitsFrom } from "../habits.ts";
import type { ReceiverHabits, ReceiverPlan } from "../plan.ts";

/** A client's webhook endpoint. */
export type Receiver = {
  readonly receive: Receive;
  /** Other habits for the events that come from now on. */
  readonly change: (habits: Partial<ReceiverHabits>) => void;
  /** Other habits for a while, whatever else changes meanwhile. */
  readonly during: (habits: Partial<ReceiverHabits>, forMs: number) => void;
  /** No faults any more, and no mood lasts. */
  readonly calm: () => void;
  readonly habits: () => ReceiverHabits;
};

/** Gives every event a number that is unique in a run. */
export type EventNumbers = () => number;

/** A count from 1, for all receivers of a run together. */
export function eventNumbers(): EventNumbers {
  let given = 0;
  return () => ++given;
}

const CALM: Partial<ReceiverHabits> = { answerMs: [1, 20], fail: 0, broken: 0, silent: 0 };

/** Opens a receiver. What it does with an event is drawn by the event's own number at this receiver. */
export function openReceiver(edges: ActorEdges, plan: ReceiverPlan, next: EventNumbers): Receiver {
  const { clock, observe } = edges;
  const seed = seedFrom(edges.chance);
  const habits = habitsFrom(plan.habits, clock);
  let taken = 0;
  return {
    receive: (request) => {
      const id = next();
      const { url, headers, body } = request;
      observe({ kind: "event", id, url, headers, body });
      const chance = forked(seed, "event", ++taken);
      const soonMs = between(chance, habits.now().answerMs);
      const { answer, isLate } = answerOf(habits.now(), chance);
      const delayMs = isLate ? soonMs + LATE_MS : soonMs;
      return new Promise((resolve) => {
        clock.after(delayMs, () => {
          const told = answer.kind === "status" ? answer.status : answer.kind;
          observe({ kind: "event answer", id, answer: told });
          if (told !== OK)
            observe({ kind: "fault", name: `receiver: ${told}`, detail: `${plan.name}, event ${id}` });
          resolve(answer);
        });
      });
    },
    change: habits.change,
    during: habits.during,
    calm: () => habits.calm(CALM),
    habits: habits.now,
  };
}

const OK = 200;
/** Longer than anybody waits. */
const LATE_MS = 60_000;

type Planned = { readonly answer: EventAnswer; readonly isLate: boolean };

function answerOf(habits: ReceiverHabits, chance: Chance): Planned {
  const isBroken = happens(chance, habits.broken);
  const isSilent = happens(chance, habits.silent);
  const isFailed = happens(chance, habits.fail);
  const failure = habits.failures[Math.floor(chance.fraction() * habits.failures.length)] ?? 500;
  if (isBroken) return { answer: { kind: "broken" }, isLate: false };
  if (isSilent) return { answer: { kind: "silent" }, isLate: false };
  const status = isFailed ? failure : OK;
  return {
    answer: { kind: "status", status, headers: headersOf(status, chance) },
    isLate: isFailed && status === OK,
  };
}

/** Some say where to go, or when to come back. */
function headersOf(status: number, chance: Chance): Readonly<Record<string, string>> {
  const seconds = String(Math.floor(chance.fraction() * 60));
  if (status >= 300 && status < 400) return { location: "https://elsewhere.example/" };
  if (status === 429 || status === 503) return { "retry-after": seconds };
  return {};
}
