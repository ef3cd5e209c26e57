/**
 * Everything between the queue and one operator's connections: takes messages in fair order (outbound), claims them, puts
 * their submits into the `outboxes` of its links, and has `flight-ends` write down what came of each.
 *
 * A message is claimed and committed before the first byte of it leaves, and its place in the window is free again
 * only once its answer is durable, so a crash leaves at most one window a connection in doubt.
 */
import type { Chance } from "../base/chance.ts";
import { type Clock, isStartDoubted } from "../base/clock.ts";
import { gatheredLog } from "../base/gathered-log.ts";
import { errorFields, type Log } from "../base/log.ts";
import { canSubmit, type OperatorConfig, responseActions } from "../config/config.ts";
import type { Settings } from "../config/in-force.ts";
import { derived } from "../config/in-force.ts";
import type { InboundRules } from "../inbound/inbound.ts";
import type { Backlog } from "../outbound/backlog.ts";
import { type Claim, type Claimed, claimer } from "../outbound/claim.ts";
import type { Candidate } from "../outbound/lanes.ts";
import type { Line, LineTools } from "../outbound/line.ts";
import { lineQueue } from "../outbound/line-queue.ts";
import { type OwnedWork, ownedWork } from "../outbound/owned-work.ts";
import type { Dial } from "../smpp/dial.ts";
import type { Store } from "../store/store.ts";
import { flightEnds } from "./flight-ends.ts";
import { flights } from "./flights.ts";
import { type KeptPlaces, keptPlaces } from "./kept-places.ts";
import { type Link, type LinkStatus, roomOf, statusOf } from "./link.ts";
import { openLink } from "./open-link.ts";
import { type Outboxes, outboxes } from "./outboxes.ts";
import { type Pump, pump } from "./pump.ts";
import type { ReceiptMemory } from "./receipt-habit.ts";

/** A line whose connections tell more of themselves. */
export type OperatorLine = Line<LinkStatus>;

export type SmsDeps = {
  readonly dial: Dial;
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  /** A number in any form as E.164 with "+", as those of a batch are read; null for what is none. */
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
  };

export function operatorLine(deps: OperatorLineDeps): OperatorLine {
  const { code, operator, recorder, holds, clock } = deps;
  const { parked } = deps.memory;
  const log = deps.log.with({ operator: code });
  const faults = gatheredLog(log, clock);
  const work = ownedWork((error) => {
    const words = "what happened on an operator's line could not be written down";
    faults.note("error", "work", words, { ...errorFields(error) });
  });
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const { own } = work;
  const isHeld = (): boolean => isStartDoubted(clock) || !deps.mayClaim();

  const links: Link[] = [];
  const line = pump(clock, links, isHeld, (link, nowMs) => {
    out.drain(link, nowMs);
    claimFor(claiming, link, nowMs);
  });
  const queue = lineQueue({ ...deps, log, own, onReady: line.ask });
  const underWay = flights(clock, parked, line.ask);
  const ends = flightEnds({
    ...{ code, operator, table: derived(operator, responseActions), recorder, work, parked, clock },
    ...{ read: deps.store.read, flights: underWay, isStopping },
    policy: () => deps.settings.now().delivery.unanswered,
    onEnded: ({ candidate, taken }) => (taken ? holds.abandon : holds.release)(candidate.message.id),
    onRequeued: queue.requeued,
  });
  const out = outboxes({
    ...{ operator, links, flights: underWay, ends, clock, isStopping, own, faults },
    read: deps.store.read,
  });
  const claim = claimer({ queue, recorder, holds, clock, isStopping, parkedBefore: () => parked.last });
  const kept = keptPlaces();
  const claiming: Claiming = { queue, claim, out, kept, isHeld, work, ask: line.ask, steps: log.steps };
  for (const [index, config] of operator().connections.entries()) {
    const lent = { ...deps, log, ends, work, onRoom: line.ask, onLost: out.handBack };
    links.push(openLink(lent, config, index + 1));
  }

  const unfollow = deps.settings.onChange(() => {
    for (const link of links) follow(link, operator());
    line.ask();
  });
  const halt = (): void => {
    if (isHalted) return;
    isHalted = true;
    unfollow();
    line.stop();
    queue.clear();
    for (const link of links) out.handBack(link);
  };
  return {
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    knows: queue.knows,
    accountChanged: queue.changed,
    status: () => links.map((link) => statusOf(link, clock.steadyMs())),
    halt,
    stop: async (graceMs, longestMs) => {
      halt();
      await Promise.all(links.map(({ connection }) => connection.stop(graceMs, longestMs)));
      await work.idle();
      for (const { gathered } of links) gathered.close();
      faults.close();
    },
  };
}

/** Takes over what may change of a connection while it stands. */
function follow(link: Link, { connections }: OperatorConfig): void {
  link.config = connections[link.number - 1] ?? link.config;
  link.pace.allow(link.config.throughput);
}

type Claiming = Pick<Pump, "ask"> & {
  readonly work: OwnedWork;
  readonly queue: Backlog;
  readonly claim: Claim;
  readonly out: Outboxes;
  readonly kept: KeptPlaces;
  readonly isHeld: () => boolean;
  readonly steps: Log["steps"];
};

/** Claims as many messages as a link has room for. */
function claimFor(claiming: Claiming, link: Link, nowMs: number): void {
  const { queue, isHeld, claim, work, kept } = claiming;
  if (!canSubmit(link.config) || isHeld()) return;
  let room = roomOf(link, nowMs);
  let forAll = room > 0 ? roomOf(link, nowMs, kept.of(link, nowMs)) : 0;
  while (room > 0) {
    const candidate = queue.take(forAll <= 0);
    if (!candidate) return;
    kept.seen(candidate.batch.messageClass, nowMs);
    room -= candidate.message.segments;
    forAll -= candidate.message.segments;
    link.claiming += candidate.message.segments;
    work.begun();
    claim(candidate, (accepted) => claimed(claiming, link, candidate, accepted));
  }
}

function claimed(
  { out, ask, work, steps }: Claiming,
  link: Link,
  candidate: Candidate,
  accepted: Claimed,
): void {
  work.ended();
  // In the same turn as what is sent enters the outbox, or the room would be claimed twice over.
  link.claiming -= candidate.message.segments;
  ask();
  const { id: message, attempts } = candidate.message;
  const step = accepted ? "claimed" : "not claimed";
  steps?.tell("sms", step, { message, connection: link.number, attempt: attempts + 1 });
  if (accepted) out.send(link, candidate, accepted);
}
