/** How messages of an operator get room on its links: those that wait in the queue, and those that are being accepted. */

import { canSubmit } from "../../config/config.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Backlog } from "../../dispatch/backlog.ts";
import type { Claim, Claimed, NoteClaim } from "../../dispatch/claim.ts";
import type { Candidate } from "../../dispatch/lanes.ts";
import type { OwnedWork } from "../../dispatch/owned-work.ts";
import type { PassageDeps, Seat } from "../../dispatch/passage.ts";
import { isUrgent } from "../../domain/accounts/classes.ts";
import type { QueuedMessage } from "../../domain/messages/queue.ts";
import type { KeptPlaces } from "./kept-places.ts";
import { type Link, roomOf } from "./link.ts";
import { claimReference, type LinkWay, NO_REFERENCE, type Outboxes } from "./outboxes.ts";
import type { Pump } from "./pump.ts";
import { leavesWhole } from "./submit-sm.ts";

export type Claiming = Pick<Pump, "ask"> & {
  readonly work: OwnedWork;
  readonly queue: Backlog;
  readonly claim: Claim;
  readonly out: Outboxes;
  readonly kept: KeptPlaces;
  readonly clock: Clock;
  /** Nothing may be claimed for now. */
  readonly isHeld: () => boolean;
  readonly steps: Log["steps"];
};

/** Claims as many messages of the queue as a link has room for. */
export function claimFor(claiming: Claiming, link: Link, nowMs: number): void {
  const { queue, isHeld, claim, kept } = claiming;
  if (!canSubmit(link.config) || isHeld()) return;
  let room = roomOf(link, nowMs);
  let forAll = room > 0 ? roomOf(link, nowMs, kept.of(link, nowMs)) : 0;
  while (room > 0) {
    const candidate = forAll > 0 ? queue.take() : queue.take(isUrgent);
    if (!candidate) return;
    kept.seen(candidate.batch.messageClass, nowMs);
    room -= candidate.message.segments;
    forAll -= candidate.message.segments;
    begin(claiming, link, candidate.message);
    let way: LinkWay = { link, config: link.config, reference: NO_REFERENCE };
    const note: NoteClaim = (tx, accepted) => {
      way = claiming.out.decide(tx, link, candidate, accepted);
    };
    const told = (accepted: Claimed): void => claimed(claiming, link, way, candidate, accepted);
    claim(candidate, told, candidate.message.segments > 1 ? note : undefined);
  }
}

/**
 * Seats messages that are being accepted on links, each filled before the next. A text that leaves whole is noted with its claim
 * (whole-claims.ts), so it takes the way through the queue. The reference of one that leaves in parts is written with its rows.
 */
export function seatsOn(claiming: Claiming, links: readonly Link[]): PassageDeps["seat"] {
  const { kept, clock } = claiming;
  return (tx, { messageClass, body, sender }, messages) => {
    const nowMs = clock.steadyMs();
    const seats: Seat[] = [];
    for (const link of links) {
      if (!canSubmit(link.config)) continue;
      let room = roomOf(link, nowMs, isUrgent(messageClass) ? 0 : kept.of(link, nowMs));
      for (const message of messages.slice(seats.length)) {
        if (room <= 0 || (message.segments > 1 && leavesWhole(message.text ?? body, link.config, NONE)))
          break;
        room -= message.segments;
        begin(claiming, link, message);
        const reference =
          message.segments > 1 ? claimReference(tx, { batch: { sender }, message }, NONE) : NO_REFERENCE;
        const way = { link, config: link.config, reference };
        seats.push({
          message,
          leave: (candidate) => claimed(claiming, link, way, candidate, NONE),
          free: () => end(claiming, link, message),
        });
      }
    }
    if (seats.length > 0) kept.seen(messageClass, nowMs);
    return seats;
  };
}

/** Nothing of it was accepted before. */
const NONE: ReadonlySet<number> = new Set();

/** From here to its `end` a message takes room of a link: it is being claimed. */
function begin({ work }: Claiming, link: Link, { segments }: QueuedMessage): void {
  link.claiming += segments;
  work.begun();
}

function end({ work, ask }: Claiming, link: Link, { segments }: QueuedMessage): void {
  work.ended();
  link.claiming -= segments;
  ask();
}

function claimed(
  claiming: Claiming,
  link: Link,
  way: LinkWay,
  candidate: Candidate,
  accepted: Claimed,
): void {
  // In the same turn as what is sent enters the outbox, or the room would be claimed twice over.
  end(claiming, link, candidate.message);
  const { id: message, attempts } = candidate.message;
  const step = accepted ? "claimed" : "not claimed";
  claiming.steps?.tell("sms", step, { message, connection: link.number, attempt: attempts + 1 });
  if (accepted) claiming.out.send(way, candidate, accepted);
}
