/**
 * Handling of submit_sm on one session of the simulated SMSC: checks, planned outcome, answer in time, and watch over rate
 * and window.
 */
import { phrase } from "../i18n/phrase.ts";
import type { ShortMessage } from "../smpp/short-message.ts";
import { STATUS } from "../smpp/status.ts";
import type { SubmitEvent } from "./events.ts";
import { type HandsetPart, toHandsetPart } from "./handset.ts";
import type { Receiver } from "./mailbox.ts";
import type { MessageId } from "./message-ids.ts";
import { fulfil, judge } from "./message-life.ts";
import type { Plan } from "./outcome.ts";
import type { SmscState } from "./smsc-state.ts";
import { findViolation, textTooLong, type Violation, validityViolation, violation } from "./strict-checks.ts";

/** A message to one number, by submit_sm or submit_multi. */
type SubmitRequest = {
  readonly sequence: number;
  readonly message: ShortMessage;
  /** Null on a session that is not bound for submitting. */
  readonly systemId: string | null;
  /** Writes the answer. The id is null for a refused message. */
  readonly respond: (status: number, messageId: string | null) => void;
  /** Identity of its request: messages of one request share an id. */
  readonly request: object;
};

/** The submits of one session: checked, judged, answered in time, and counted. */
export class SubmitHandler {
  /** Submits so far. */
  count = 0;
  private readonly rate = createRateWatch();
  private readonly idsOfRequests = new WeakMap<object, MessageId>();
  /** Submits with the answer still to come: each emits its event if the answer never does. */
  private readonly owed = new Set<() => void>();

  /** `receiver`: this session, for the receipts of what it submits. `drop` drops the session at this submit. */
  constructor(
    private readonly smsc: SmscState,
    private readonly link: number,
    private readonly receiver: Receiver,
    private readonly drop: (sequence: number) => void,
  ) {}

  take(request: SubmitRequest): void {
    const { smsc, link } = this;
    const { message, systemId } = request;
    smsc.tally.submits += 1;
    this.count += 1;
    this.watch();
    const part = toHandsetPart(message, smsc.defaultAlphabet);
    const { part: place = 1, total: parts = 1 } = part.concatenation ?? {};
    const { sourceAddr: from, destinationAddr: to } = message;
    const event: SubmitEvent = { link, from, to, part: place, parts };
    const broken = systemId === null ? MISPLACED : findBroken(smsc, message, part);
    if (systemId !== null && broken === null) {
      this.decide(request, systemId, part, event);
      return;
    }
    const { what, status } = broken ?? MISPLACED;
    smsc.violate(link, what);
    smsc.tally.refused += 1;
    smsc.emit({ kind: "submit", ...event, id: null, status });
    request.respond(status, null);
  }

  /** Notes the end of the session: answers still to come are never written. */
  close(): void {
    for (const lost of this.owed) lost();
    this.owed.clear();
  }

  /** Checks rates and windows, counting violations without refusing: real operators react differently to them. */
  private watch(): void {
    const { smsc, link, owed } = this;
    const { windowCheck, throughputCheck } = smsc.quirks;
    const nowMs = smsc.clock.steadyMs();
    const inASecond = this.rate(throughputCheck > 0 ? smsc.heartbeat.lastMs() : nowMs, nowMs);
    smsc.tally.mostInASecondOnLink = Math.max(smsc.tally.mostInASecondOnLink, inASecond);
    if (windowCheck > 0 && owed.size >= windowCheck) {
      smsc.violate(link, phrase("simulator.rule.window", { most: windowCheck }));
    }
    if (throughputCheck > 0 && inASecond > throughputCheck) {
      smsc.violate(link, phrase("simulator.rule.throughput", { most: throughputCheck }));
    }
  }

  /** Plans the outcome of a well-formed submit, and starts it. */
  private decide(
    { sequence, message, respond, request }: SubmitRequest,
    systemId: string,
    part: HandsetPart,
    event: SubmitEvent,
  ): void {
    const { smsc, receiver } = this;
    const { plan, id: ownId } = judge(smsc, systemId, message, this.count);
    const { fate, responseAfterMs } = plan;
    const id = ownId && this.sharedId(request, ownId);
    const isAccepted = fate !== null && id !== null;
    if (isAccepted) smsc.tally.accepted += 1;
    else smsc.tally.refused += 1;
    const submittedAtMs = smsc.clock.nowMs();
    const kept = isAccepted
      ? smsc.messages.add({ message, part, id, systemId, receiver, submittedAtMs, request })
      : null;
    const meet = (): void => {
      if (kept && fate) smsc.later(fate.afterMs, () => fulfil(smsc, kept, fate));
    };
    // Started first, because a step without delay happens at once.
    const isOvertaken = isAccepted && fate.afterMs < (responseAfterMs ?? 0);
    if (isOvertaken) meet();
    this.answer(respond, plan, event, id?.response ?? null);
    if (plan.isLinkCut) this.drop(sequence);
    if (!isOvertaken) meet();
  }

  private sharedId(request: object, id: MessageId): MessageId {
    const shared = this.idsOfRequests.get(request) ?? id;
    this.idsOfRequests.set(request, shared);
    return shared;
  }

  private answer(
    respond: SubmitRequest["respond"],
    { status, responseAfterMs }: Plan,
    event: SubmitEvent,
    id: string | null,
  ): void {
    const { smsc, owed } = this;
    const { tally } = smsc;
    const lost = (): void => {
      tally.unanswered += 1;
      smsc.emit({ kind: "submit", ...event, id, status: null });
    };
    if (responseAfterMs === null) {
      lost();
      return;
    }
    owed.add(lost);
    tally.mostUnansweredOnLink = Math.max(tally.mostUnansweredOnLink, owed.size);
    smsc.later(responseAfterMs, () => {
      if (!owed.delete(lost)) return;
      smsc.emit({ kind: "submit", ...event, id, status });
      respond(status, id);
    });
  }
}

const MISPLACED = violation(STATUS.RINVBNDSTS, phrase("simulator.rule.misplaced"));

function findBroken(smsc: SmscState, message: ShortMessage, part: HandsetPart): Violation | null {
  if (!smsc.isStrict) return unusable(message);
  return (
    findViolation(message, smsc.defaultAlphabet) ??
    smsc.segmentation(message.sourceAddr, message.destinationAddr, part)
  );
}

/** An address fills a field of 21 octets with its NUL (SMPP 3.4 section 5.2.8). */
const MAX_ADDRESS_LENGTH = 20;

/**
 * Why an ordinary SMSC cannot accept a message at all; null when it can. It has its own tables for addresses, so it
 * ignores the type of number and the numbering plan, gives a message without a sender its own, and passes a text on
 * as it came, well segmented or not.
 */
function unusable(message: ShortMessage): Violation | null {
  const { sourceAddr, destinationAddr, validityPeriod } = message;
  if (!/^\+?\d{1,20}$/.test(destinationAddr)) {
    return violation(STATUS.RINVDSTADR, phrase("simulator.rule.destination.no_number"));
  }
  if (sourceAddr.length > MAX_ADDRESS_LENGTH) {
    return violation(STATUS.RINVSRCADR, phrase("simulator.rule.source.long"));
  }
  return validityViolation(validityPeriod) ?? textTooLong(message);
}

/** Counts one more arrival, and returns how many came in the span up to it, itself included. Times never step backwards. */
type RateWatch = (arrivedMs: number, nowMs: number) => number;

/** A little under a second: PDUs sent a second apart may arrive closer, bunched by the network. */
const SPAN_MS = 950;

/**
 * Counts arrivals that cannot be further apart than the span. `arrivedMs` is the earliest moment at which this one can have arrived,
 * which is before `nowMs` when the process was busy and only now reads it.
 */
export function createRateWatch(): RateWatch {
  let arrivals: number[] = [];
  let gone = 0;
  return (arrivedMs, nowMs) => {
    arrivals.push(arrivedMs);
    while ((arrivals[gone] ?? nowMs) <= nowMs - SPAN_MS) gone += 1;
    if (gone * 2 > arrivals.length) {
      arrivals = arrivals.slice(gone);
      gone = 0;
    }
    return arrivals.length - gone;
  };
}
