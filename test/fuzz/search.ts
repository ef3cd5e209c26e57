import { type Dice, diceOf } from "./dice.ts";
import { minimised } from "./minimise.ts";
import { mutated, pumped } from "./mutate.ts";
import { kindOf, type Target, type Trial } from "./target.ts";

/** An input that reached what no other had. */
export type Found = { readonly signature: string; readonly input: Uint8Array };

/** Something that was not true of an input, and the smallest one of which it is not. */
export type Failure = {
  readonly what: string;
  readonly message: string;
  readonly input: Uint8Array;
  /** Which input of the run it was, from 0; null for a kept one. */
  readonly index: number | null;
  /** How many inputs of the run failed in this way. */
  times: number;
};

export type Report = {
  readonly inputs: number;
  readonly ms: number;
  /** How many signatures the kept inputs have. */
  readonly known: number;
  readonly found: readonly Found[];
  readonly failures: readonly Failure[];
  readonly slowest: { readonly ms: number; readonly index: number | null };
};

export type Search = {
  readonly target: Target;
  readonly inputs: number;
  readonly seed: number;
  /** What earlier runs kept. */
  readonly kept: readonly Uint8Array[];
  /** A steady clock, in milliseconds. */
  readonly nowMs: () => number;
  /** What the process has worked, in milliseconds: a busy machine makes no input slow. */
  readonly workedMs: () => number;
  /** Told of every input before it runs: whoever watches can tell which one never ends. */
  readonly onInput?: (input: Uint8Array) => void;
};

/**
 * An input of up to 64 KiB takes no longer, the shortest of a few times. Work that grows with the square of such a
 * length takes seconds.
 */
const MAX_MS = 300;
const maxMsOf = ({ maxMs = MAX_MS }: Trial): number => maxMs;
const PUMPED_OCTETS = 65_536;
/** One input in so many is pumped, and one in so many drawn from nothing. */
const PUMP_EVERY = 400;
const DRAW_EVERY = 8;
/** More ways to fail than this are not told apart. */
const MAX_FAILURES = 20;
/** How often a smaller form is tried, of what is kept and of what failed. */
const KEEPING_TRIES = 120;
const FAILING_TRIES = 600;

type Verdict =
  | { readonly kind: "held"; readonly signature: string }
  | { readonly kind: "failed"; readonly what: string; readonly message: string };

/** Runs what was kept and then so many new inputs, each made of those that reached something before. */
export async function search({
  target,
  inputs,
  seed,
  kept,
  nowMs,
  workedMs,
  onInput,
}: Search): Promise<Report> {
  const opened = await target.open();
  const trial: Trial = {
    ...opened,
    run: (input) => {
      onInput?.(input);
      return opened.run(input);
    },
  };
  const memory: Found[] = [];
  const signatures = new Set<string>();
  const found: Found[] = [];
  const failures = new Map<string, Failure>();
  let slowest: Report["slowest"] = { ms: 0, index: null };

  const run = async (input: Uint8Array, index: number | null): Promise<void> => {
    const beganAt = workedMs();
    const running = verdictOf(trial, input);
    let verdict = running instanceof Promise ? await running : running;
    const ms = workedMs() - beganAt;
    if (ms > slowest.ms) slowest = { ms, index };
    if (ms > maxMsOf(trial) && verdict.kind === "held")
      verdict = (await slowVerdict(trial, input, workedMs)) ?? verdict;
    if (verdict.kind === "failed") await fail(verdict, input, index);
    else if (!signatures.has(verdict.signature)) {
      const { signature } = verdict;
      signatures.add(signature);
      const smallest =
        index === null ? input : await minimised(input, reaches(trial, signature), KEEPING_TRIES);
      memory.push({ signature, input: smallest });
      if (index !== null) found.push({ signature, input: smallest });
    }
  };
  const fail = async (
    { what, message }: Extract<Verdict, { kind: "failed" }>,
    input: Uint8Array,
    index: number | null,
  ): Promise<void> => {
    const known = failures.get(what);
    if (known) known.times += 1;
    else if (failures.size < MAX_FAILURES) {
      const smallest = await minimised(input, failsAs(trial, what, workedMs), FAILING_TRIES);
      failures.set(what, { what, message, input: smallest, index, times: 1 });
    }
  };

  try {
    for (const input of kept) await run(input, null);
    const known = signatures.size;
    const beganAt = nowMs();
    for (let index = 0; index < inputs; index++) {
      await run(next(target, memory, diceOf(seed, target.name, index)), index);
    }
    const ms = nowMs() - beganAt;
    return { inputs, ms, known, found, failures: [...failures.values()], slowest };
  } finally {
    await trial.close();
  }
}

/** The next input: something new, or what reached something before with changes; those found last are taken more often. */
function next(target: Target, memory: readonly Found[], rolls: Dice): Uint8Array {
  const { below } = rolls;
  const recent = Math.min(memory.length, 12);
  const pick = (): Uint8Array | undefined =>
    (below(4) === 0 ? memory[memory.length - 1 - below(recent)] : memory[below(memory.length)])?.input;
  const base = below(DRAW_EVERY) === 0 ? undefined : pick();
  const input = base
    ? mutated(target, base, pick() ?? base, rolls)
    : target.draw(rolls).subarray(0, target.longest);
  return target.isPumped && below(PUMP_EVERY) === 0 ? pumped(input, PUMPED_OCTETS, rolls) : input;
}

function verdictOf(trial: Trial, input: Uint8Array): Verdict | Promise<Verdict> {
  try {
    const outcome = trial.run(input);
    return typeof outcome === "string"
      ? { kind: "held", signature: outcome }
      : outcome.then((signature): Verdict => ({ kind: "held", signature })).catch(failedBy);
  } catch (error) {
    return failedBy(error);
  }
}

/** What an error means: two of one kind, thrown at the same place, are one failure, whatever they say of their input. */
function failedBy(error: unknown): Verdict {
  if (!(error instanceof Error))
    return { kind: "failed", what: kindOf(String(error)), message: String(error) };
  const place = /\/((?:src|test|scripts)\/[^\s():]+:\d+)/.exec(error.stack ?? "")?.[1];
  const message = `${error.name}: ${error.message}`;
  return { kind: "failed", what: place ? `${error.name} at ${place}` : kindOf(message), message };
}

/** A failure if the input is slow each time: once may be the machine. */
async function slowVerdict(trial: Trial, input: Uint8Array, workedMs: () => number): Promise<Verdict | null> {
  let least = Number.POSITIVE_INFINITY;
  for (let times = 0; times < 3; times++) {
    const beganAt = workedMs();
    await verdictOf(trial, input);
    least = Math.min(least, workedMs() - beganAt);
    if (least <= maxMsOf(trial)) return null;
  }
  const message = `took ${Math.round(least)} ms for ${input.length} octets`;
  return { kind: "failed", what: "took too long", message };
}

function reaches(trial: Trial, signature: string) {
  return async (smaller: Uint8Array): Promise<boolean> => {
    const verdict = await verdictOf(trial, smaller);
    return verdict.kind === "held" && verdict.signature === signature;
  };
}

function failsAs(trial: Trial, what: string, workedMs: () => number) {
  return async (smaller: Uint8Array): Promise<boolean> => {
    const beganAt = workedMs();
    const verdict = await verdictOf(trial, smaller);
    if (what === "took too long") return workedMs() - beganAt > maxMsOf(trial);
    return verdict.kind === "failed" && verdict.what === what;
  };
}

/** What this process has worked so far, in milliseconds. */
export function processWorkedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Why an input fails, or null. */
export async function failureOf(
  trial: Trial,
  input: Uint8Array,
  workedMs: () => number = processWorkedMs,
): Promise<string | null> {
  const beganAt = workedMs();
  const verdict = await verdictOf(trial, input);
  if (verdict.kind === "failed") return verdict.message;
  const slow = workedMs() - beganAt > maxMsOf(trial) ? await slowVerdict(trial, input, workedMs) : null;
  return slow?.kind === "failed" ? slow.message : null;
}
