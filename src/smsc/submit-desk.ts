import type { ShortMessage } from "../smpp/short-message.ts";
import type { Centre } from "./centre.ts";
import type { SubmitEvent } from "./events.ts";
import type { Receiver } from "./mailbox.ts";
import type { Plan } from "./outcome.ts";
import { partOf } from "./part.ts";
import { rateWatch } from "./rate-watch.ts";
import { STATUS } from "./states.ts";
import { violationOf } from "./strict.ts";

/** Takes the submit_sm of one link: checks them, has them judged, answers in time, and counts. */
export type SubmitDesk = {
  /** `systemId` is null on a link that is not bound for submitting. */
  readonly take: (sequence: number, message: ShortMessage, systemId: string | null) => void;
  /** submit_sm so far. */
  readonly count: () => number;
  /** The link is gone: what was still to be answered never is. */
  readonly closed: () => void;
};

export type SubmitDeskOptions = {
  readonly centre: Centre;
  readonly link: number;
  /** This link, for the receipts of what it submits. */
  readonly receiver: Receiver;
  readonly respond: (sequence: number, status: number, messageId: string | null) => void;
  readonly violate: (what: string) => void;
  /** Ends the link at this submit_sm. */
  readonly drop: (sequence: number) => void;
};

export function submitDesk(options: SubmitDeskOptions): SubmitDesk {
  const { centre, link, receiver, respond, violate, drop } = options;
  const { tally } = centre;
  const rate = rateWatch();
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

  const take: SubmitDesk["take"] = (sequence, message, systemId) => {
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
      respond(sequence, status, null);
    };
    if (systemId === null) {
      refuse("submit_sm on a link that is not bound for it", STATUS.RINVBNDSTS);
      return;
    }
    const violation = violationOf(message, centre.defaultAlphabet) ?? centre.segmentation(from, to, part);
    if (violation) {
      refuse(violation.what, violation.status);
      return;
    }

    const { plan, id } = centre.judge(systemId, message, count);
    const { fate, responseAfterMs } = plan;
    const isAccepted = fate !== null && id !== null;
    if (isAccepted) tally.accepted += 1;
    else tally.refused += 1;
    const meet = (): void => {
      if (!isAccepted) return;
      const submitted = { message, part, id, systemId, receiver };
      centre.later(fate.afterMs, () => centre.fulfil(submitted, fate));
    };
    // Begun first, because what has no delay happens at once.
    const isOvertaken = isAccepted && fate.afterMs < (responseAfterMs ?? 0);
    if (isOvertaken) meet();
    answer(sequence, plan, event, id?.response ?? null);
    if (plan.isLinkCut) drop(sequence);
    if (!isOvertaken) meet();
  };

  const answer = (sequence: number, plan: Plan, event: SubmitEvent, id: string | null): void => {
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
      respond(sequence, status, id);
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
