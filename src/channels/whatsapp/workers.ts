/**
 * The WhatsApp channel: one worker for each number of the configuration, over Meta's Cloud API.
 *
 * Sending: `number-worker.ts` says when a message may leave; `post-messages.ts` claims and posts it, and writes down the answer.
 * `meta-errors.ts` says what Meta's codes lead to. Receiving: `webhook.ts` handles Meta's calls, `status-handler.ts` finds the
 * post that a status is about, and `apply-status.ts` applies it to the message.
 *
 * A post is written down with the claim, before its first byte, under a number that comes back with every status. So one whose answer
 * was lost is never made again: it waits for its statuses. The room changes no money and no status itself: it hands facts to messages.
 */

import { toWhatsAppNumber, toWhatsAppOperator } from "../../config/config.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Clock } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { WorkerStatus } from "../../dispatch/delivery.ts";
import { allPauses, findPause } from "../../dispatch/pauses.ts";
import type { Recorder } from "../../dispatch/recorder.ts";
import type { OpenWorkers, WorkerTools } from "../../dispatch/worker.ts";
import type { HttpsNetwork } from "../../https/address-guard.ts";
import { phrase } from "../../i18n/phrase.ts";
import { type CloudClient, cloudClient, type NumberConfig } from "./cloud-api.ts";
import type { PostComposer } from "./compose-post.ts";
import type { NumberTrouble } from "./meta-errors.ts";
import {
  deleteNumberStop,
  digestOf,
  type NumberStop,
  readNumberStops,
  saveNumberStop,
} from "./number-stops.ts";
import {
  type CountryBlocks,
  createCountryBlocks,
  type NumberStatus,
  numberStatus,
  openWhatsAppWorker,
  type WhatsAppWorker,
} from "./number-worker.ts";
import { type CountedBy, countDailyUsers, type DailyUserCounts } from "./pacing.ts";
import type { CloudStatus } from "./post-facts.ts";
import { portfolioOf, type SendBlock } from "./post-messages.ts";
import { createStatusHandler } from "./status-handler.ts";
import type { NumberTestMessages, SaveTestMessageStatus } from "./test-messages.ts";
import { createServiceWindows, type ServiceWindows } from "./users.ts";

type WhatsappDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly https: HttpsNetwork;
  /** The PEM text of a file, or null for none. */
  readonly readPem: (file: string) => string | null;
  readonly wording: PostComposer;
  /** Has the templates of an account read soon. */
  readonly readSoon: (wabaId: string) => void;
  readonly ofTest: SaveTestMessageStatus;
};

export type WhatsAppWorkers = {
  readonly open: OpenWorkers;
  readonly client: CloudClient;
  /** Each number by its operator code. */
  readonly status: () => readonly WorkerStatus[];
  /** The same with all that an administrator sees of a number, in the order of the configuration. */
  readonly numbers: () => readonly NumberStatus[];
  /** Test messages by a number, by its operator code; null where it has no worker. */
  readonly tests: (operator: string) => NumberTestMessages | null;
  /** Writes statuses down, in their order; resolves once all are durable. */
  readonly takeStatuses: (statuses: readonly CloudStatus[]) => Promise<void>;
  /** Messages came in by a number, which Meta counts with those that go out. */
  readonly cameIn: (phoneNumberId: string, messages: number) => void;
  /** Users wrote to numbers: what they wrote is durable. */
  readonly wrote: ServiceWindows["wrote"];
  /** An administrator has paused or resumed something, and that is durable. */
  readonly pausesChanged: () => void;
  /** The templates of an account could be read: its numbers that were stopped go on. */
  readonly accountWasRead: (wabaId: string) => Promise<void>;
  /** From now on no worker is opened or closed, whatever becomes of the configuration. */
  readonly halt: () => void;
};

export function openWhatsAppWorkers(deps: WhatsappDeps): WhatsAppWorkers {
  const { settings, clock } = deps;
  const client = cloudClient(deps);
  const workers = new Map<string, WhatsAppWorker>();
  const numbers = (): Readonly<Record<string, NumberConfig>> => settings.now().whatsapp.numbers;
  const stops = numberStops(deps, (code) => workers.get(code)?.look());
  let unfollow = (): void => {};
  let recorder: Recorder | null = null;
  let day: DailyUserCounts | null = null;
  let windows: ServiceWindows | null = null;
  const onNamed: ServiceWindows["named"] = (...of) => windows?.named(...of);
  const refusals = createCountryBlocks(clock);
  const onTrouble = troubles({ ...deps, numbers, workers, stops, refusals });
  const takeStatuses = createStatusHandler(deps, () => recorder, onTrouble, onNamed);
  return {
    client,
    open: (tools) => {
      recorder = tools.recorder;
      const codes = Object.keys(numbers()).map(toWhatsAppOperator);
      const opened = createServiceWindows(deps.store.read, codes, clock.nowMs());
      windows = opened;
      const isOpen: CountedBy["isOpen"] = (code, ...of) => opened.isOpen(toWhatsAppOperator(code), ...of);
      const counts = countDailyUsers(
        deps.store.read,
        { portfolioOf: portfolioIn(numbers), isOpen },
        clock.nowMs(),
      );
      day = counts;
      const open = opener(deps, { tools, client, workers, stops, day: counts, onTrouble, onNamed });
      unfollow = settings.onChange(() => {
        follow(numbers(), workers, tools, open);
        stops.follow();
      });
      for (const code of Object.keys(numbers())) open(code);
      return new Map([...workers].map(([code, worker]) => [toWhatsAppOperator(code), worker]));
    },
    status: () =>
      [...workers].map(([code, worker]) => ({
        operator: toWhatsAppOperator(code),
        connections: worker.status(),
      })),
    numbers: () =>
      Object.entries(numbers()).flatMap(([code, number]) => {
        const [worker, counts] = [workers.get(code), day];
        if (worker === undefined || counts === null) return [];
        const now = { nowMs: clock.nowMs(), steadyMs: clock.steadyMs() };
        const status = numberStatus(worker, toWhatsAppOperator(code), number, counts, now);
        return status === null ? [] : [{ ...status, refusedCountries: refusals.of(code) }];
      }),
    tests: (operator) => workers.get(toWhatsAppNumber(operator) ?? "")?.tests ?? null,
    takeStatuses,
    cameIn: (phoneNumberId, messages) => {
      for (const [code, { phone_number_id: id }] of Object.entries(numbers())) {
        if (id !== phoneNumberId) continue;
        for (let count = 0; count < messages; count++) workers.get(code)?.pace.inbound(clock.steadyMs());
      }
    },
    wrote: (...of) => windows?.wrote(...of),
    pausesChanged: stops.changed,
    accountWasRead: async (wabaId) => {
      for (const [code, { waba_id }] of Object.entries(numbers())) {
        if (waba_id === wabaId && stops.isStopped(code)) await stops.resume(code);
      }
    },
    halt: () => unfollow(),
  };
}

type Opened = {
  readonly tools: WorkerTools;
  readonly client: CloudClient;
  readonly workers: Map<string, WhatsAppWorker>;
  readonly stops: NumberStops;
  readonly day: DailyUserCounts;
  readonly onTrouble: (code: string, trouble: NumberTrouble, sentAtMs: number) => void;
  readonly onNamed: ServiceWindows["named"];
};

/** The portfolio of a number's code; null where the configuration has it no more. */
function portfolioIn(numbers: () => Readonly<Record<string, NumberConfig>>) {
  return (code: string): string | null => {
    const number = numbers()[code];
    return number === undefined ? null : portfolioOf(number);
  };
}

function opener(deps: WhatsappDeps, { tools, client, workers, stops, day, onTrouble, onNamed }: Opened) {
  const { settings } = deps;
  return (code: string): WhatsAppWorker | null => {
    const first = settings.now().whatsapp.numbers[code];
    if (first === undefined) return null;
    let latest = first;
    const number = (): NumberConfig => {
      latest = settings.now().whatsapp.numbers[code] ?? latest;
      return latest;
    };
    const obstacle = () => stops.of(code);
    const worker = openWhatsAppWorker({
      ...deps,
      ...tools,
      client,
      day,
      code,
      number,
      obstacle,
      onTrouble,
      onNamed,
    });
    workers.set(code, worker);
    return worker;
  };
}

/** Closes the workers of numbers that left the configuration, opens those of new ones, and has the others look. */
function follow(
  numbers: Readonly<Record<string, NumberConfig>>,
  workers: Map<string, WhatsAppWorker>,
  tools: WorkerTools,
  open: (code: string) => WhatsAppWorker | null,
): void {
  for (const [code, worker] of workers) {
    if (Object.hasOwn(numbers, code)) continue;
    workers.delete(code);
    tools.closed(toWhatsAppOperator(code), worker);
  }
  for (const code of Object.keys(numbers)) {
    const known = workers.get(code);
    known?.look();
    const opened = known ? null : open(code);
    if (opened) tools.opened(toWhatsAppOperator(code), opened);
  }
}

type TroubleDeps = Pick<WhatsappDeps, "clock" | "log" | "readSoon"> & {
  readonly numbers: () => Readonly<Record<string, NumberConfig>>;
  readonly workers: ReadonlyMap<string, WhatsAppWorker>;
  readonly stops: NumberStops;
  readonly refusals: CountryBlocks;
};

/** Applies what Meta's answers say beyond their messages. */
function troubles(deps: TroubleDeps): Opened["onTrouble"] {
  const { log, stops, refusals, readSoon } = deps;
  return (code, trouble, sentAtMs) => {
    switch (trouble.kind) {
      case "slow":
        slow(deps, code, trouble, sentAtMs);
        return;
      case "stop":
        stops.stop(code, trouble.code);
        return;
      case "template":
        if (trouble.isNews) log.warn("a template has stopped", { template: trouble.name });
        readSoon(trouble.wabaId);
        return;
      case "direct":
        log.warn("text without a template has stopped", {
          operator: toWhatsAppOperator(code),
          class: trouble.messageClass,
          priced_as: trouble.priced,
        });
        return;
      case "country":
        if (refusals.note(code, trouble.country))
          log.error("a number of WhatsApp may not write to users of a country", {
            operator: toWhatsAppOperator(code),
            country: trouble.country,
          });
    }
  };
}

/** Slows what Meta's answer is about: a number, all of its account, or all of the app. A user's wait concerns the message alone. */
function slow(
  { clock, numbers, workers }: TroubleDeps,
  code: string,
  { slows, restMs }: Extract<NumberTrouble, { kind: "slow" }>,
  sentAtMs: number,
): void {
  if (slows === "user") return;
  const waba = numbers()[code]?.waba_id;
  for (const [other, worker] of workers) {
    const isMeant =
      other === code || slows === "app" || (slows === "account" && numbers()[other]?.waba_id === waba);
    if (isMeant) worker.pace.slow(clock.steadyMs(), sentAtMs, restMs);
  }
}

/**
 * Which numbers an administrator has paused, and which Meta has stopped: stored across restarts. A stop is ended by a person, by another
 * token, or by a sign that all is well.
 */
type NumberStops = {
  /** Why nothing may leave by a number: a person's pause before Meta's stop. */
  readonly of: (code: string) => SendBlock | null;
  /** Whether Meta has stopped it. */
  readonly isStopped: (code: string) => boolean;
  /** A number stops at once; the first reason stays. */
  readonly stop: (code: string, metaCode: number) => void;
  /** Lets a number go on; whether it was stopped. */
  readonly resume: (code: string) => Promise<boolean>;
  /** The stored pauses or stops have changed: reads them again. */
  readonly changed: () => void;
  /** The configuration has changed: numbers with another token go on. */
  readonly follow: () => void;
};

type StopDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
};

function numberStops(
  { settings, store, clock, log }: StopDeps,
  onChange: (code: string) => void,
): NumberStops {
  const stopped = new Map<string, NumberStop>(readNumberStops(store.read).map((stop) => [stop.number, stop]));
  /** Stops that are being written. */
  const unwritten = new Set<NumberStop>();
  let pauses = allPauses(store.read);
  const changed = (): void => {
    pauses = allPauses(store.read);
    const kept = readNumberStops(store.read);
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
    const wasKept = await store.write((tx) => deleteNumberStop(tx, code));
    if (wasStopped || wasKept)
      log.info("a number of WhatsApp goes on", { operator: toWhatsAppOperator(code) });
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
      const pause = findPause(pauses, toWhatsAppOperator(code), { connection: "" });
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
        operator: toWhatsAppOperator(code),
        code: metaCode,
      });
      unwritten.add(stop);
      store
        .write((tx) => saveNumberStop(tx, stop))
        .catch(failed)
        .finally(() => unwritten.delete(stop));
      onChange(code);
    },
  };
}
