/**
 * The configuration in force. It may change while the appliance runs, so callers read it where they use it, and keep nothing of
 * it. What was taken at the start and cannot change is listed in `changes.ts`.
 */
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { applyWithoutRestart, configChanges, type Whole } from "./changes.ts";
import type { Config } from "./config.ts";
import { NO_PEMS } from "./files.ts";

/** The configuration in force, or the part of it that a room uses. */
export type Settings<Part = Config> = {
  readonly now: () => Part;
  /** The text of a PEM file that the configuration names, as it was when that came into force; null for none. */
  readonly pem: (path: string) => string | null;
  /** Calls back after each change, for what must react and does not read it again by itself; until the returned function is called. */
  readonly onChange: (listener: () => void) => () => void;
};

type OfFile = Pick<Whole, "pems" | "given" | "ofConsole">;

export type SettingsHolder = Settings & {
  /**
   * Puts another configuration in force, which was read and checked, as far as it can change now. What waits for a restart stays
   * as it is, and is returned, a phrase a key. What is not given of its file stays.
   */
  readonly replace: (next: Config, file?: Partial<OfFile>) => readonly Phrase[];
  /** What is in force, with what is known of its file. */
  readonly whole: () => Whole;
};

export function settingsHolder(initial: Config, file: Partial<OfFile> = {}): SettingsHolder {
  let whole: Whole = ofFile({ pems: NO_PEMS, given: new Set() }, initial, file);
  const listeners = new Set<() => void>();
  return {
    now: () => whole.config,
    pem: (path) => whole.pems.get(path) ?? null,
    whole: () => whole,
    onChange: (listener) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    replace: (next, of = {}) => {
      const wanted = ofFile(whole, next, of);
      const waiting = configChanges(whole, wanted).flatMap(({ path: key, because }) =>
        because === null ? [] : [phrase("config.change.key_waits", { key, because })],
      );
      whole = { ...wanted, config: applyWithoutRestart(whole.config, next) };
      for (const listener of [...listeners]) listener();
      return waiting;
    },
  };
}

function ofFile(known: OfFile, config: Config, { pems, given, ofConsole }: Partial<OfFile>): Whole {
  return {
    config,
    pems: pems ?? known.pems,
    given: given ?? known.given,
    ofConsole: ofConsole ?? known.ofConsole ?? new Set(),
  };
}

/** A value derived from a part of the configuration: made again when that part has changed. */
export function deriveCached<Part, Value>(part: () => Part, make: (part: Part) => Value): () => Value {
  let madeOf = part();
  let made = make(madeOf);
  return () => {
    const current = part();
    if (current !== madeOf && !Bun.deepEquals(current, madeOf)) made = make(current);
    madeOf = current;
    return made;
  };
}
