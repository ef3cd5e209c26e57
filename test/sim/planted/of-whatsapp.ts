/** Bugs that somebody could make between the queue, Meta's Cloud API and the webhook. */
import type { Plant } from "./plant.ts";

const WHATSAPP = { options: ["--messages", "400", "--faults", "whatsapp"] } as const;
const WHATSAPP_AND_DEATH = { options: ["--messages", "400", "--faults", "whatsapp,kill"] } as const;

export const OF_WHATSAPP: readonly Plant[] = [
  {
    name: "posts-again-after-doubt",
    bug: "a post whose answer was lost is made again: whoever has the first message gets it twice",
    edits: [
      {
        file: "src/channels/whatsapp/post-messages.ts",
        find: `      noteAnswer(tx, post, { state: "UNANSWERED" });
      noteOutcomeUnknown(session, post, post.expiresAt, nowMs);
      return NOTHING;
    case "refused": {`,
        replace: `      noteAnswer(tx, post, { state: "UNANSWERED" });
      session.apply({ kind: "postponed", messageId: post.messageId, notBeforeMs: nowMs + 1000, operatorCode: null });
      return { ...NOTHING, isQueued: true, notBeforeMs: nowMs + 1000 };
    case "refused": {`,
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "posts-of-the-dead-again",
    bug: "what was posted when the process died goes back to the queue as if nothing of it had left",
    edits: [
      {
        file: "src/channels/whatsapp/post-messages.ts",
        find: "    noteOutcomeUnknown(session, message, readFirstLegEnd(tx, messageId) ?? message.expiresAt, nowMs);",
        replace: '    session.apply({ kind: "not_written", messageId });',
      },
    ],
    ...WHATSAPP_AND_DEATH,
  },
  {
    name: "unsure-codes-are-refusals",
    bug: "an answer that leaves open whether the post was taken, such as a 503, fails the message, which was delivered",
    edits: [
      {
        file: "src/channels/whatsapp/meta-errors.ts",
        find: 'const OUTCOME_UNKNOWN: MetaErrorClass = { kind: "unknown" };',
        replace: "const OUTCOME_UNKNOWN: MetaErrorClass = REJECTED;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "silence-forgotten-by-a-lost-answer",
    bug: "the loss of an answer takes away until when statuses are waited for: what a status had made SENT stays so for ever, with its money",
    edits: [
      {
        file: "src/channels/whatsapp/posts.ts",
        find: "close_at = iif($state = 'UNANSWERED', close_at, $closeAt)",
        replace: "close_at = iif($state = 'NONE', close_at, $closeAt)",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "early-statuses-forgotten",
    bug: "a status that came before the answer to its post is forgotten where only Meta's id tells whose it is",
    edits: [
      {
        file: "src/channels/whatsapp/post-messages.ts",
        find: "for (const status of takeUnmatchedStatuses(tx, wamid)) {",
        replace: "for (const status of takeUnmatchedStatuses(tx, wamid).slice(8)) {",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "calls-answered-before-durable",
    bug: "a call of the webhook is answered at once and written down two seconds later, so that a death loses it and Meta does not call again",
    edits: [
      {
        file: "src/channels/whatsapp/webhook.ts",
        find: "    await take(deps, changes ?? []);",
        replace: "    deps.clock.after(2000, () => void take(deps, changes ?? []).catch(() => {}));",
      },
    ],
    ...WHATSAPP_AND_DEATH,
  },
  {
    name: "calls-of-strangers",
    bug: "the signature of a call is not looked at: whoever finds the address says what was delivered, and it is charged",
    edits: [
      {
        file: "src/channels/whatsapp/webhook.ts",
        find: "  return isSame(signature, ",
        replace: '  return signature !== "" || isSame(signature, ',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "free-is-charged",
    bug: "what Meta bills nobody for is charged all the same",
    edits: [
      {
        file: "src/channels/whatsapp/apply-status.ts",
        find: "isFreeFree && !status.isBillable",
        replace: "!isFreeFree && !status.isBillable",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "silence-is-charged",
    bug: "a message of which WhatsApp says nothing more is closed and charged",
    edits: [
      {
        file: "src/channels/whatsapp/post-messages.ts",
        find: 'session.apply({ kind: "receipt_overdue", messageId: post.messageId, isFree: true, isFirstLeg: true });',
        replace: 'session.apply({ kind: "receipt_overdue", messageId: post.messageId, isFirstLeg: true });',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "charged-when-sent",
    bug: "a batch of WhatsApp is charged by the account's rule for SMS, when it is sent",
    edits: [
      {
        file: "src/channels/whatsapp/batch-preparation.ts",
        find: 'chargeOn: "delivered",',
        replace: "chargeOn: null,",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "user-written-to-at-once",
    bug: "nobody waits between two messages to one user, which Meta refuses",
    edits: [
      {
        file: "src/channels/whatsapp/pacing.ts",
        find: "const GAP_MS = PAIR_MS + 250;",
        replace: "const GAP_MS = PAIR_MS - 5_900;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "number-without-pace",
    bug: "a number posts whatever is there at once, whatever its throughput",
    edits: [
      {
        file: "src/channels/whatsapp/pacing.ts",
        find: "available: (nowMs) => nowMs >= restsUntilMs && open < mostOpen() && pace.available(nowMs) >= 1,",
        replace: "available: (nowMs) => nowMs >= restsUntilMs && open < mostOpen(),",
      },
      {
        file: "src/channels/whatsapp/pacing.ts",
        find: "      pace.take(nowMs, 1);\n      open += 1;",
        replace: "      open += 1;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "values-in-another-order",
    bug: "the values of a template whose parameters have numbers are given in another order",
    edits: [
      {
        file: "src/channels/whatsapp/compose-post.ts",
        find: ".sort((one, other) => Number(one.name) - Number(other.name))",
        replace: ".sort((one, other) => Number(other.name) - Number(one.name))",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "tried-without-end",
    bug: "a post that Meta puts off is made again and again, not five times",
    edits: [
      {
        file: "src/channels/whatsapp/post-facts.ts",
        find: "const MAX_POSTS = 5;",
        replace: "const MAX_POSTS = 50;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "older-wish-counts",
    bug: "what a user said of marketing counts in the order in which Meta tells it: who stopped last is written to again",
    edits: [
      {
        file: "src/channels/whatsapp/users.ts",
        find: "if (known === null || saidAtMs > known.saidAt) continue;",
        replace: "if (known === null || saidAtMs !== known.saidAt) continue;",
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "texts-told-again",
    bug: "a text that Meta tells again is kept again",
    edits: [
      {
        file: "src/domain/inbound/inbound.ts",
        find: 'if (isStored(tx, told, nowMs)) return { kind: "again", optedOut: false };',
        replace:
          'if (isStored(tx, told, nowMs) && told.text === "STOP") return { kind: "again", optedOut: false };',
      },
    ],
    ...WHATSAPP,
  },
  {
    name: "users-of-a-day-ignored",
    bug: "a number writes to more different users in a day than Meta allows",
    edits: [
      {
        file: "src/channels/whatsapp/number-worker.ts",
        find: "if (day.hasRoom(code, message.msisdn, limit, clock.nowMs())) return true;",
        replace: "if (day.hasRoom(code, message.msisdn, limit * 50, clock.nowMs())) return true;",
      },
    ],
    ...WHATSAPP,
  },
];
