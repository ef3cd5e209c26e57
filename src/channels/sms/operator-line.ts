/**
 * Everything between the queue and one operator's connections: takes messages in fair order (outbound), claims them, puts
 * their submits into the `outboxes` of its links, and has `flight-ends` write down what came of each.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again
 * only once its answer is durable, so a crash leaves at most one window a connection in doubt.
 */

import { type OperatorConfig, responseActions } from "../../config/config.ts";
import type { Settings } from "../../config/in-force.ts";
import { derived } from "../../config/in-force.ts";
import type { Chance } from "../../core/chance.ts";
import { type Clock, isStartDoubted } from "../../core/clock.ts";
import { SHORT_SECONDS } from "../../core/count-book.ts";
import { type GatheredLog, gatheredLog } from "../../core/gathered-log.ts";
import { errorFields, type Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import { claimer } from "../../dispatch/claim.ts";
import type { Line, LineTools } from "../../dispatch/line.ts";
import { lineQueue } from "../../dispatch/line-queue.ts";
import { type OwnedWork, ownedWork } from "../../dispatch/owned-work.ts";
import { passageBy } from "../../dispatch/passage.ts";
import type { Pause } from "../../dispatch/pauses.ts";
import type { InboundRules } from "../../domain/inbound/inbound.ts";
import type { Dial } from "../../smpp/dial.ts";
import { type Claiming, claimFor, seatsOn } from "./claiming.ts";
import { flightEnds } from "./flight-ends.ts";
import { flights } from "./flights.ts";
import { keptPlaces } from "./kept-places.ts";
import { lineLinks } from "./line-links.ts";
import { type Link, type LinkStatus, statusOf } from "./link.ts";
import { outboxes } from "./outboxes.ts";
import { pump } from "./pump.ts";
import type { ReceiptMemory } from "./receipt-habit.ts";
import { type Trials, trials } from "./trials.ts";

/** A line whose connections tell more of themselves. */
export type OperatorLine = Line<LinkStatus> & {
  /** Asks anew what of it is paused. */
  readonly pausesChanged: () => void;
  /** Has the connection of a name, or all, bind anew once the answers that are due have come. */
  readonly reconnect: (connection: string | null) => void;
  /** Test texts of an administrator. */
  readonly trials: Pick<Trials, "hindrance" | "offer">;
};

/** From a submit to its answer in time, by operator. */
export const SUBMIT_SECONDS = "bendre_submit_seconds";

export type SmsDeps = {
  readonly dial: Dial;
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A number as an operator spells it as E.164 with "+"; null for what is none. */
  readonly readNumber: (text: string) => string | null;
  /** The PEM text of a file that a connection names, or null for none. */
  readonly readPem: (file: string) => string | null;
};

export type OperatorLineDeps = LineTools &
  SmsDeps & {
    readonly code: string;
    /** As it stands at this moment. */
    readonly operator: () => OperatorConfig;
    readonly inbound: InboundRules;
    readonly memory: ReceiptMemory;
    /** Why nothing may leave by a connection of a name; null where it may. */
    readonly pauseOf: (connection: string) => Pause | null;
  };

export function operatorLine(deps: OperatorLineDeps): OperatorLine {
  const { code, operator, recorder, holds, clock, memory } = deps;
  const log = deps.log.with({ operator: code });
  const faults = gatheredLog(log, clock);
  const work = workOf(faults);
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const isHeld = (): boolean => isStartDoubted(clock) || !deps.mayClaim();

  const links: Link[] = [];
  const line = pump(clock, links, isHeld, (link, nowMs) => {
    tests.drain(link, nowMs);
    out.drain(link, nowMs);
    claimFor(claiming, link, nowMs);
  });
  const alongside = { own: work.own, read: deps.store.read };
  const queue = lineQueue({ ...deps, log, ...alongside, onReady: line.ask });
  const underWay = flights(clock, memory.parked, line.ask);
  const table = derived(operator, responseActions);
  const shared = { code, operator, table, recorder, work, clock, isStopping };
  const tests = trials({ ...shared, links, faults, isHeld, ask: line.ask });
  const ends = flightEnds({
    ...shared,
    ...alongside,
    flights: underWay,
    parked: memory.parked,
    submitSeconds: deps.store.tally.histograms(SUBMIT_SECONDS, SHORT_SECONDS).of(code),
    policy: () => deps.settings.now().delivery.unanswered,
    onEnded: ({ candidate, taken }) => (taken ? holds.abandon : holds.release)(candidate.message.id),
    onRequeued: queue.requeued,
  });
  const out = outboxes({ ...shared, links, flights: underWay, ends, faults, ...alongside });
  const deciding = { queue, holds, clock, isHeld, isStopping, parkedBefore: () => memory.parked.last };
  const claim = claimer({ ...deciding, recorder });
  const claiming: Claiming = {
    queue,
    claim,
    out,
    kept: keptPlaces(),
    clock,
    isHeld,
    work,
    ask: line.ask,
    steps: log.steps,
  };
  const { handBack } = out;
  const lent = { ...deps, log, ends: tests.beside(ends), work, onRoom: line.ask, onLost: handBack, handBack };
  const connections = lineLinks(lent, links);

  const unfollow = deps.settings.onChange(connections.follow);
  const halt = (): void => {
    if (isHalted) return;
    isHalted = true;
    unfollow();
    line.stop();
    queue.clear();
    tests.halt();
    for (const link of links) handBack(link);
  };
  const ended = (end: () => Promise<void>): Promise<void> => {
    halt();
    return end().then(work.idle).then(faults.close);
  };
  return {
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    passage: passageBy({ ...deciding, seat: seatsOn(claiming, links) }),
    knows: queue.knows,
    accountChanged: queue.changed,
    pausesChanged: connections.pausesChanged,
    reconnect: connections.reconnect,
    trials: tests,
    status: () => links.map((link) => statusOf(link, clock.steadyMs())),
    halt,
    stop: (graceMs, longestMs) => ended(() => connections.stop(graceMs, longestMs)),
    leave: () => ended(connections.leave),
  };
}

function workOf(faults: GatheredLog): OwnedWork {
  return ownedWork((error) => {
    const words = "what happened on an operator's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
}
