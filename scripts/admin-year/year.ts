/** The world of an administrator's year, and what its chapters share. */
import type { SmallDisk } from "../../test/e2e/small-disk.ts";
import type { Customer, Submission } from "./customer.ts";
import { comesTrue, type Platform } from "./machine.ts";
import { type HandsetsText, type Operator, repeated } from "./operators.ts";
import type { Receiver } from "./receiver.ts";
import type { Story } from "./story.ts";
import type { WorldClock } from "./world-clock.ts";

/** How much is sent; small for a look that takes half a minute. */
export type Size = { readonly campaign: number; readonly isShort: boolean };

export type Year = {
  readonly story: Story;
  readonly size: Size;
  /** A directory that is gone at the end. */
  readonly place: string;
  /** The file that was built. */
  readonly executable: string;
  readonly clock: WorldClock;
  readonly clockLibrary: string;
  readonly orange: Operator;
  readonly moov: Operator;
  readonly hooks: Receiver;
  readonly numbers: (prefix: string, count: number) => readonly string[];
  /** The disk of the first machine's data; null where none can be mounted, which takes root. */
  readonly disk: SmallDisk | null;
  /** The machine that is in use. */
  machine: Platform;
  readonly customers: Customer[];
  /** What an administrator printed and kept, by its name. */
  readonly papers: Map<string, string>;
  /** Texts that may be on their handset twice, as `NUMBER/TEXT`: an operator left them unanswered, or somebody decided so. */
  readonly mayRepeat: Set<string>;
  /** What the receiver signs with. */
  hookSecret: string;
};

export type Chapter = (year: Year) => Promise<void>;

export const placeOf = ({ to, text }: { readonly to: string; readonly text: string }) => `${to}/${text}`;

/** All that is on handsets, of both operators. */
export function handsets({ orange, moov }: Year): readonly HandsetsText[] {
  return [...orange.texts(), ...moov.texts()];
}

export function firstCustomer(year: Year): Customer {
  const [customer] = year.customers;
  if (customer === undefined) throw new Error("there is no customer yet");
  return customer;
}

/** A customer submits, and that is told. */
export async function sends(year: Year, customer: Customer, submission: Submission): Promise<string> {
  year.story.typed(customer.name, `POST /batches, ${submission.numbers.length} ${submission.messageClass}`);
  return await customer.send(submission);
}

const ENDED = ["SETTLED", "REJECTED", "FAILED", "CANCELLED"];

/** How long operators take to answer when they are slow. */
export const slowMs = ({ size }: Year) => (size.isShort ? 250 : 500);

/** How many submits both operators have had. */
export const submitsOf = ({ orange, moov }: Year) => orange.submits() + moov.submits();

/** Waits until the operators have told of all that was under way; how many submits that makes. */
export async function comesToRest(year: Year): Promise<number> {
  for (let before = -1; ; ) {
    const now = submitsOf(year);
    if (now === before) return now;
    before = now;
    await Bun.sleep(2.5 * slowMs(year));
  }
}

/** Whether every batch has come to its end within so many seconds. */
export async function allEnds(customer: Customer, seconds = 60): Promise<boolean> {
  const open = new Set(customer.batches());
  return await comesTrue(async () => {
    for (const id of open) {
      const { status, data } = await customer.api.get(`/batches/${id}`);
      if (status === 200 && ENDED.includes(String(data.status))) open.delete(id);
    }
    return open.size === 0;
  }, seconds);
}

/** What must hold at the end of every chapter. */
export async function closeChapter(year: Year): Promise<void> {
  const { story, machine } = year;
  for (const customer of year.customers)
    story.promise(await allEnds(customer), `every batch of ${customer.name} has ended`);
  const { exitCode, data, error } = await machine.tried("ledger", "check");
  story.promise(exitCode === 0, `the books agree: ${data.entries} entries`, error);
  const again = repeated(handsets(year)).filter((text) => !year.mayRepeat.has(placeOf(text)));
  story.promise(again.length === 0, "no handset has a text twice that was not listed", again.slice(0, 3));
}

/** The server is stopped, time passes, and it starts again. */
export async function travel(year: Year, to: Date): Promise<void> {
  const { machine, clock, story } = year;
  const code = await machine.stop();
  if (code !== 0) story.promise(false, "it stops in order", code);
  clock.set(to);
  await startReady(year);
}

/** Starts the server and waits until it is ready and its operators that are up are bound. */
export async function startReady(year: Year): Promise<void> {
  await year.machine.serve();
  await comesTrue(async () => (await health(year, "/ready")).status === 200);
  await isBound(year);
}

/** Whether every operator that is up is bound. */
export async function isBound({ machine, orange, moov }: Year): Promise<boolean> {
  const up = [orange, moov].filter((operator) => operator.isUp()).map(({ code }) => code);
  return await comesTrue(async () => {
    const { connections } = (await machine.quietly("operator", "status")) as {
      connections: Record<string, unknown>[];
    };
    return connections.every(({ operator, state }) => !up.includes(String(operator)) || state === "BOUND");
  });
}

export type Health = { readonly status: number; readonly of: (check: string) => Record<string, unknown> };

/** What a monitor on the machine asks. */
export async function health({ machine }: Year, path = ""): Promise<Health> {
  const answer = await fetch(`${machine.url()}/health${path}`, { tls: { rejectUnauthorized: false } });
  const body = (await answer.json()) as { data?: { checks?: Record<string, unknown>[] } };
  return {
    status: answer.status,
    of: (check) => body.data?.checks?.find(({ name }) => name === check) ?? {},
  };
}

/** Waits for an alarm to be told. */
export async function alarmComes(
  year: Year,
  rule: string,
  state: "start" | "end",
  subject?: string,
): Promise<void> {
  const came = await comesTrue(() => year.hooks.hasAlarm(rule, state, subject));
  const alarm = year.hooks.alarms.findLast((each) => each.rule === rule && each.state === state);
  year.story.promise(came, `the alarm ${rule} is told: ${state}`, year.hooks.alarms.slice(-3));
  if (alarm) year.story.saw(`${alarm.detail} ${alarm.action}`);
}
