import type { Settings } from "../../config/in-force.ts";
import { operatorOfNumber } from "../../config/whatsapp-codes.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { allPauses, pauseOf } from "../../dispatch/pauses.ts";
import { phrase } from "../../i18n/phrase.ts";
import type { Hindrance } from "./line-deps.ts";
import { allStops, digestOf, endStop, type NumberStop, noteStop } from "./stops.ts";

/**
 * Which numbers an administrator has paused, and which Meta has stopped: kept over restarts. A stop is ended by a person, by another token,
 * or by what shows that all is well.
 */
export type NumberStops = {
  /** The pause of a person before Meta's stop. */
  readonly of: (code: string) => Hindrance | null;
  /** Whether Meta has stopped it. */
  readonly isStopped: (code: string) => boolean;
  /** A number stops at once; the first reason stays. */
  readonly stop: (code: string, metaCode: number) => void;
  /** Lets a number go on; whether it was stopped. */
  readonly resume: (code: string) => Promise<boolean>;
  /** What is kept has changed: pauses and stops are asked anew. */
  readonly changed: () => void;
  /** The configuration has changed: numbers with another token go on. */
  readonly follow: () => void;
};

export type StopDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
};

export function numberStops(
  { settings, store, clock, log }: StopDeps,
  onChange: (code: string) => void,
): NumberStops {
  const stopped = new Map<string, NumberStop>(allStops(store.read).map((stop) => [stop.number, stop]));
  /** Those that are being written down. */
  const unwritten = new Set<NumberStop>();
  let pauses = allPauses(store.read);
  const changed = (): void => {
    pauses = allPauses(store.read);
    const kept = allStops(store.read);
    stopped.clear();
    for (const stop of [...kept, ...unwritten]) stopped.set(stop.number, stop);
    follow();
    for (const code of Object.keys(settings.now().whatsapp.numbers)) onChange(code);
  };
  const tokenOf = (code: string): string => settings.now().whatsapp.numbers[code]?.token ?? "";
  const failed = (error: unknown): void =>
    log.error("a stopped number could not be written down", { ...errorFields(error) });
  const resume = async (code: string): Promise<boolean> => {
    const wasStopped = stopped.delete(code);
    const wasKept = await store.write((tx) => endStop(tx, code));
    if (wasStopped || wasKept) log.info("a number of WhatsApp goes on", { operator: operatorOfNumber(code) });
    onChange(code);
    return wasStopped || wasKept;
  };
  const follow = (): void => {
    for (const { number, tokenDigest } of [...stopped.values()]) {
      const token = tokenOf(number);
      if (token !== "" && digestOf(token) !== tokenDigest) resume(number).catch(failed);
    }
  };
  follow();
  return {
    resume,
    follow,
    changed,
    isStopped: (code) => stopped.has(code),
    of: (code) => {
      const pause = pauseOf(pauses, operatorOfNumber(code), "");
      if (pause !== null) return { kind: "paused", reason: pause.reason, atMs: pause.atMs };
      const stop = stopped.get(code);
      if (stop === undefined) return null;
      return { kind: "stopped", why: phrase("link.stopped_by_meta", { code: stop.code }), atMs: stop.atMs };
    },
    stop: (code, metaCode) => {
      if (stopped.has(code)) return;
      const stop = {
        number: code,
        code: metaCode,
        tokenDigest: digestOf(tokenOf(code)),
        atMs: clock.nowMs(),
      };
      stopped.set(code, stop);
      log.error("a number of WhatsApp has stopped until a person has looked", {
        operator: operatorOfNumber(code),
        code: metaCode,
      });
      unwritten.add(stop);
      store
        .write((tx) => noteStop(tx, stop))
        .catch(failed)
        .finally(() => unwritten.delete(stop));
      onChange(code);
    },
  };
}
