/**
 * The configuration in force. It may change while the appliance runs, so whoever goes by it reads it where it is used, and
 * keeps nothing of it. What was taken at the start and cannot change stands in `FIXED`.
 */
import type { Config } from "./config.ts";
import { keyText, type Step } from "./fault.ts";

/** The configuration in force, or the part of it that a room goes by. */
export type Settings<Part = Config> = {
  readonly now: () => Part;
  /** Calls back after each change, for what must react and is not asked again by itself; until the function it gives is called. */
  readonly onChange: (listener: () => void) => () => void;
};

export type SettingsHolder = Settings & {
  /**
   * Puts another configuration in force, whole or not at all: what must not change and would is told, a line a key. The
   * configuration is one that was read and checked.
   */
  readonly replace: (next: Config) => readonly string[];
};

/** What stays as it was at the start, by the beginning of its key, and why. */
const FIXED: readonly { readonly key: RegExp; readonly because: string }[] = [
  { key: /^server\./, because: "the server listens there, with that certificate" },
  { key: /^metrics\.listen$/, because: "the metrics are answered there" },
  { key: /^storage\.directory$/, because: "the database there is open" },
  { key: /^log\.(rooms|slow_statement_ms)\b/, because: "the steps that are told are chosen at the start" },
  { key: /^api\.max_body_bytes$/, because: "the memory for bodies is divided by it" },
  { key: /^operators\.[^.]+$/, because: "the line of each operator was opened at the start" },
  {
    key: /^operators\.[^.]+\.connections\b(?!\[\d+\]\.throughput$)/,
    because: "the connection was opened with it",
  },
];

export function settingsHolder(initial: Config): SettingsHolder {
  let inForce = initial;
  const listeners = new Set<() => void>();
  return {
    now: () => inForce,
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    replace: (next) => {
      const refused = differences(inForce, next)
        .map(keyText)
        .flatMap((key) => {
          const fixed = FIXED.find((rule) => rule.key.test(key));
          return fixed ? [`${key} cannot change while the appliance runs: ${fixed.because}`] : [];
        });
      if (refused.length > 0) return refused;
      inForce = next;
      for (const listener of listeners) listener();
      return [];
    },
  };
}

/** The places at which two values differ; that of a table or list where only one has it. */
function differences(one: unknown, other: unknown, steps: readonly Step[] = []): (readonly Step[])[] {
  if (!isTable(one) || !isTable(other)) return Bun.deepEquals(one, other) ? [] : [steps];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differences(one[name], other[name], [...steps, Array.isArray(one) ? Number(name) : name]),
  );
}

function isTable(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}

/** What is made of a part of the configuration: made again when the part is another one. */
export function derived<Part, Value>(part: () => Part, make: (part: Part) => Value): () => Value {
  let madeOf = part();
  let made = make(madeOf);
  return () => {
    const current = part();
    if (current !== madeOf && !Bun.deepEquals(current, madeOf)) made = make(current);
    madeOf = current;
    return made;
  };
}
