import type { ShortMessage } from "../smpp/short-message.ts";
import type { Centre } from "./centre.ts";
import type { SubmitEvent } from "./events.ts";
import { unusable } from "./lenient.ts";
import type { Receiver } from "./mailbox.ts";
import type { MessageId } from "./message-ids.ts";
import type { Plan } from "./outcome.ts";
import { type Part, partOf } from "./part.ts";
import { rateWatch } from "./rate-watch.ts";
import { STATUS } from "./states.ts";
import { type Violation, violationOf } from "./strict.ts";

/** A message to one number, however it was submitted. */
export type SubmitRequest = {
  readonly sequence: number;
  readonly message: ShortMessage;
  /** Null on a link that is not bound for submitting. */
  readonly systemId: string | null;
  /** Writes the answer. The id is null for a refused message. */
  readonly respond: (status: number, messageId: string | null) => void;
  /** What it came with: messages of one request share an id. */
  readonly request: object;
};

/** Takes the submits of one link: checks them, has them judged, answers in time, and counts. */
export type SubmitDesk = {
  readonly take: (request: SubmitRequest) => void;
  /** Submits so far. */
  readonly count: () => number;
  /** The link is gone: what was still to be answered never is. */
  readonly closed: () => void;
};

export type SubmitDeskOptions = {
  readonly centre: Centre;
  readonly link: number;
  /** This link, for the receipts of what it submits. */
  readonly receiver: Receiver;
  readonly violate: (what: string) => void;
  /** Ends the link at this submit. */
  readonly drop: (sequence: number) => void;
};

export function submitDesk(options: SubmitDeskOptions): SubmitDesk {
  const { centre, link, receiver, violate, drop } = options;
  const { tally } = centre;
  const rate = rateWatch();
  const idsOfRequests = new WeakMap<object, MessageId>();
  /** Accepted or refused, with the answer still to come: what is told if it never does. */
  const owed = new Set<() => void>();
  let count = 0;

  /** The checks that count and do not refuse: a real operator would have its own way with either. */
  const watch = (): void => {
    const { windowCheck, throughputCheck } = centre.quirks();
    const nowMs = centre.clock.steadyMs();
    const inASecond = rate(throughputCheck > 0 ? centre.heartbeat.lastMs() : nowMs, nowMs);
    tally.mostInASecondOnLink = Math.max(tally.mostInASecondOnLink, inASecond);
    if (windowCheck > 0 && owed.size >= windowCheck) {
      violate(`more than ${windowCheck} submit_sm without an answer`);
    }
    if (throughputCheck > 0 && inASecond > throughputCheck) {
      violate(`more than ${throughputCheck} submit_sm in a second`);
    }
  };

  const violation = (message: ShortMessage, part: Part): Violation | null =>
    centre.isStrict
      ? (violationOf(message, centre.defaultAlphabet) ??
        centre.segmentation(message.sourceAddr, message.destinationAddr, part))
      : unusable(message);

  const sharedId = (request: object, id: MessageId): MessageId => {
    const shared = idsOfRequests.get(request) ?? id;
    idsOfRequests.set(request, shared);
    return shared;
  };

  const take: SubmitDesk["take"] = ({ sequence, message, systemId, respond, request }) => {
    tally.submits += 1;
    count += 1;
    watch();
    const part = partOf(message, centre.defaultAlphabet);
    const { part: place = 1, total: parts = 1 } = part.concatenation ?? {};
    const { sourceAddr: from, destinationAddr: to } = message;
    const event: SubmitEvent = { link, from, to, part: place, parts };

    const refuse = (what: string, status: number): void => {
      violate(what);
      tally.refused += 1;
      centre.tell({ kind: "submit", ...event, id: null, status });
      respond(status, null);
    };
    if (systemId === null) {
      refuse("a message on a link that is not bound for it", STATUS.RINVBNDSTS);
      return;
    }
    const broken = violation(message, part);
    if (broken) {
      refuse(broken.what, broken.status);
      return;
    }

    const { plan, id: ownId } = centre.judge(systemId, message, count);
    const { fate, responseAfterMs } = plan;
    const id = ownId && sharedId(request, ownId);
    const isAccepted = fate !== null && id !== null;
    if (isAccepted) tally.accepted += 1;
    else tally.refused += 1;
    const submittedAtMs = centre.clock.nowMs();
    const kept = isAccepted
      ? centre.book.add({ message, part, id, systemId, receiver, submittedAtMs, request })
      : null;
    const meet = (): void => {
      if (kept && fate) centre.later(fate.afterMs, () => centre.fulfil(kept, fate));
    };
    // Begun first, because what has no delay happens at once.
    const isOvertaken = isAccepted && fate.afterMs < (responseAfterMs ?? 0);
    if (isOvertaken) meet();
    answer(respond, plan, event, id?.response ?? null);
    if (plan.isLinkCut) drop(sequence);
    if (!isOvertaken) meet();
  };

  const answer = (
    respond: SubmitRequest["respond"],
    plan: Plan,
    event: SubmitEvent,
    id: string | null,
  ): void => {
    const { status, responseAfterMs } = plan;
    const lost = (): void => {
      tally.unanswered += 1;
      centre.tell({ kind: "submit", ...event, id, status: null });
    };
    if (responseAfterMs === null) {
      lost();
      return;
    }
    owed.add(lost);
    tally.mostUnansweredOnLink = Math.max(tally.mostUnansweredOnLink, owed.size);
    centre.later(responseAfterMs, () => {
      if (!owed.delete(lost)) return;
      centre.tell({ kind: "submit", ...event, id, status });
      respond(status, id);
    });
  };

  return {
    take,
    count: () => count,
    closed: () => {
      for (const lost of owed) lost();
      owed.clear();
    },
  };
}
