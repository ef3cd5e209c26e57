/** Bugs that somebody could make on the way from the queue to the handset and back. */
import type { Plant } from "./plant.ts";

export const OF_SENDING: readonly Plant[] = [
  {
    name: "double-claim",
    bug: "a message is claimed whatever its status, so that one whose claim waits in the writer is claimed and sent twice",
    edits: [
      {
        file: "src/domain/messages/transitions.ts",
        find: 'if (before.status !== "QUEUED" || cancelReason !== null) return unchanged(before);',
        replace: "if (before.isFinal || cancelReason !== null) return unchanged(before);",
      },
      {
        file: "src/domain/messages/message-status.ts",
        find: 'SUBMITTED: ["QUEUED",',
        replace: 'SUBMITTED: ["SUBMITTED", "QUEUED",',
      },
      {
        file: "src/dispatch/claim.ts",
        find: 'return from === "QUEUED" && to === "SUBMITTED";',
        replace: 'return from !== "SENT" && to === "SUBMITTED";',
      },
      {
        file: "src/dispatch/operator-queue.ts",
        find: "rows.filter((message) => !handed.taken.has(message.id)).reverse()",
        replace: "rows.filter((message) => !handed.taken.has(-message.id)).reverse()",
      },
    ],
    options: ["--messages", "600", "--faults", ""],
  },
  {
    name: "leaves-with-its-acceptance",
    bug: "what finds room when it is accepted leaves inside the accepting transaction: where that is undone, it was sent and is not there",
    edits: [
      {
        file: "src/domain/submission/submit.ts",
        find: "    tx.afterCommit(() => places.leave(id));",
        replace: "    places.leave(id);",
      },
    ],
  },
  {
    name: "claim-not-durable",
    bug: "claims and answers are committed with the next commit that is synced: a power cut forgets that a message left",
    edits: [
      {
        file: "src/dispatch/recorder.ts",
        find: 'store.writeEach(entries, work, "at once", priority)',
        replace: 'store.writeEach(entries, work, "with the next", priority)',
      },
    ],
    options: ["--faults", "kill"],
  },
  {
    name: "receipt-of-another-operator",
    bug: "a receipt counts for whoever has its id, without a look at the operator and the number: ids of two operators collide",
    edits: [
      {
        file: "src/domain/messages/segments.ts",
        find: "FROM parts WHERE smsc_key = ?1 AND operator = ? ORDER BY",
        replace: "FROM parts WHERE smsc_key = ?1 AND operator <> ? || '?' ORDER BY",
      },
      {
        file: "src/channels/sms/delivery-receipts.ts",
        find: 'return agrees === "agrees" || (keys.isMarked && agrees === "unknown");',
        replace: 'return agrees === "agrees" || keys.isMarked;',
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "receipt-of-another-account",
    bug: "a receipt's id is looked up among what left for all accounts of its operator: that one account's decimal is another's id is an accident that nobody sees",
    edits: [
      {
        file: "src/channels/sms/delivery-receipts.ts",
        find: "  return leftFor !== null && leftFor !== account;",
        replace: "  return leftFor === undefined;",
      },
    ],
    options: ["--messages", "600", "--faults", "masked numbers"],
  },
  {
    name: "receipt-answered-before-durable",
    bug: "a receipt is answered before it is written down, so that a death loses it",
    edits: [
      {
        file: "src/channels/sms/operator-session.ts",
        find: "    try {\n      const receipt = readReceipt(message);",
        replace: "    try {\n      answer(STATUS.ROK);\n      const receipt = readReceipt(message);",
      },
    ],
    options: ["--faults", "disk"],
  },
  {
    name: "window-ignored",
    bug: "one submit more than the window waits for its answer",
    edits: [
      {
        file: "src/smpp/connection.ts",
        find: "this.profile.window - this.taken.size",
        replace: "this.profile.window + 1 - this.taken.size",
      },
      {
        file: "src/smpp/esme-session.ts",
        find: "maxOutstanding(life, settings.window) - submits.held()",
        replace: "maxOutstanding(life, settings.window + 1) - submits.held()",
      },
    ],
  },
  {
    name: "pace-ignored",
    bug: "a connection submits as fast as its window allows, whatever its throughput",
    edits: [
      {
        file: "src/dispatch/pace.ts",
        find: "return Math.min(rate - left.within(nowMs, SPAN_MS, rate), evenly(nowMs, rate));",
        replace: "return rate - left.within(nowMs, SPAN_MS / 10, rate) + 0 * evenly(nowMs, rate);",
      },
    ],
    options: ["--messages", "600", "--faults", ""],
  },
  {
    name: "accepted-part-sent-again",
    bug: "a message of several parts that is tried again sends all of them, those too that were accepted",
    edits: [
      {
        file: "src/dispatch/claim.ts",
        find: "const accepted = message.segments > 1 && message.attempts > 0 ? acceptedBefore(tx, candidate) : NONE;",
        replace: "const accepted = message.segments > 300 ? acceptedBefore(tx, candidate) : NONE;",
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "reference-of-a-moment",
    bug: "the reference that joins the parts of a text is of the moment, so that a part which is tried again joins no others",
    edits: [
      {
        file: "src/channels/sms/submit-sm.ts",
        find: "  const { reference } = outgoing;",
        replace: "  const reference = Math.trunc(outgoing.validityMs / 1000) & 0xff;",
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "late-acceptance-forgotten",
    bug: "a message that is sent again leaves though a late answer accepted it while it waited for its place",
    edits: [
      {
        file: "src/channels/sms/smpp-worker.ts",
        find: "if (results.covers(outgoing)) own",
        replace: "if (results.covers(outgoing) && this.deps.isStopping()) own",
      },
    ],
    options: ["--faults", "late answers"],
  },
  {
    name: "suspended-account-sends",
    bug: "nobody asks whether the account is suspended before its messages are claimed",
    edits: [
      {
        file: "src/dispatch/sending-gate.ts",
        find: 'if (account?.status !== "ACTIVE") return HELD;',
        replace: "if (!account) return HELD;",
      },
      {
        file: "src/domain/accounts/suppressions.ts",
        find: '  if (row?.isActive !== 1) return "SUSPENDED";\n  return row.isSuppressed === 1',
        replace: "  return row?.isSuppressed === 1",
      },
    ],
    options: ["--messages", "300", "--faults", "busy"],
  },
  {
    name: "opted-out-meanwhile",
    bug: "a number that opted out after a message to it was accepted gets that message",
    edits: [
      {
        file: "src/domain/accounts/suppressions.ts",
        find: 'return row.isSuppressed === 1 ? "SUPPRESSED" : null;',
        replace: "return null;",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "cancelled-schedule-leaves",
    bug: "a scheduled batch that was cancelled before its time leaves all the same",
    edits: [
      {
        file: "src/domain/messages/scheduled-batches.ts",
        find: "WHERE status = 'SCHEDULED' AND cancel_reason IS NULL AND",
        replace: "WHERE status = 'SCHEDULED' AND",
      },
      {
        file: "src/domain/messages/cancellation.ts",
        find: "AND cancel_reason IS NOT NULL AND status IN ('SCHEDULED', 'QUEUED', 'SENDING')",
        replace: "AND cancel_reason IS NOT NULL AND status IN ('QUEUED', 'SENDING')",
      },
      {
        file: "src/domain/messages/scheduled-batches.ts",
        find: "UPDATE batches SET status = 'QUEUED' WHERE id = ?",
        replace:
          "UPDATE batches SET status = 'QUEUED', cancel_reason = NULL, cancel_note = NULL WHERE id = ?",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "resend-of-class-wait",
    bug: "an unanswered message is sent again though its class waits",
    edits: [
      {
        file: "src/dispatch/attempt.ts",
        find: 'return policy[messageClass] === "resend" && resends',
        replace: "return policy[messageClass] !== undefined && resends",
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "resend-without-end",
    bug: "an unanswered message is sent again and again, not three times",
    edits: [
      {
        file: "src/dispatch/attempt.ts",
        find: "resends < MAX_RESENDS && nowMs < expiresAt",
        replace: "nowMs < expiresAt",
      },
    ],
    options: ["--faults", "silence"],
  },
  {
    name: "rescue-requeues-what-left",
    bug: "what was claimed when the process died goes back to the queue as if nothing of it had left",
    edits: [
      {
        file: "src/channels/sms/submit-results.ts",
        find: "facts.apply(isTaken ? toWaitFact(messageId, policy, nowMs) : toUnansweredFact(message, policy, nowMs));",
        replace: 'facts.apply({ kind: "not_written", messageId });',
      },
    ],
    options: ["--faults", "kill"],
  },
  {
    name: "put-off-for-good",
    bug: "a message that its operator put off is looked at again when its validity is over, and not when it is due: it expires",
    edits: [
      {
        file: "src/dispatch/operator-queue.ts",
        find: "else blocked.until(batch, dueMs);",
        replace: "else blocked.until(batch, validUntil(clock, batch));",
      },
      {
        file: "src/dispatch/operator-queue.ts",
        find: "    if (dueMs !== null) blocked.until(batch, dueMs);",
        replace: "    if (dueMs !== null) blocked.until(batch, validUntil(clock, batch));",
      },
      {
        file: "src/dispatch/operator-queue.ts",
        find: "  blocked.until(batch, dueMs);\n  return rows;",
        replace: "  blocked.until(batch, validUntil(clock, batch));\n  return rows;",
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "resumed-and-not-told",
    bug: "an account that is resumed is not let go on: what it had waiting waits until it has expired",
    edits: [
      {
        file: "src/dispatch/operator-queue.ts",
        find: "      blocked.unblockAccount(accountId);\n",
        replace: "",
      },
    ],
    options: ["--messages", "300", "--faults", "busy"],
  },
  {
    name: "expired-and-sent",
    bug: "a message leaves though its validity is over",
    edits: [
      {
        file: "src/dispatch/sending-gate.ts",
        find: "if (expiresAt <= nowMs) {",
        replace: "if (expiresAt <= nowMs - 365 * 86_400_000) {",
      },
      {
        file: "src/dispatch/operator-queue.ts",
        find: "if (!isOver(clock, batch.createdAt, batch.expiresAt)) return false;",
        replace: "if (!isOver(clock, batch.createdAt, batch.expiresAt + 365 * 86_400_000)) return false;",
      },
    ],
    options: ["--faults", "outage"],
  },
  {
    name: "stop-does-not-wait",
    bug: "a stop hangs up at once: submits whose answers are on their way are unanswered, and sent again after the next start",
    edits: [
      {
        file: "src/app/app.ts",
        find: "return delivery.stop(Math.min(ANSWERS_MS, leftMs - UNBINDING_MS - WRITING_MS), leftMs - WRITING_MS);",
        replace: "return delivery.stop(0 * (ANSWERS_MS + UNBINDING_MS), leftMs - WRITING_MS);",
      },
    ],
    options: ["--faults", "stop"],
  },
  {
    name: "answers-written-late",
    bug: "an operator's answer is written down a moment after its place in the window was free: a death repeats more than a window",
    edits: [
      {
        file: "src/channels/sms/submit-results.ts",
        find: "    this.enter(apply, (outcome) => {\n",
        replace: "    inFlight.end(ref);\n    clock.after(300, () => this.enter(apply, (outcome) => {\n",
      },
      {
        file: "src/channels/sms/submit-results.ts",
        find: "        inFlight.end(ref);\n      }\n    });\n",
        replace: "        inFlight.end(ref);\n      }\n    }));\n",
      },
    ],
    options: ["--messages", "300", "--faults", "kill"],
  },
  {
    name: "doubts-of-the-dead",
    bug: "what was under way when a process died is not kept as in doubt: nobody is told of it, and a receipt that could end it finds no owner",
    edits: [
      {
        file: "src/channels/sms/submit-results.ts",
        find: "(part) => !accepted.has(part),",
        replace: "(part) => !accepted.has(part) && part < 1,",
      },
    ],
    options: ["--faults", "kill"],
  },
  {
    name: "purged-before-its-end",
    bug: "texts are purged by the age of the last change, whether the message has ended or not: what waits to be resent leaves empty",
    edits: [
      {
        file: "src/domain/messages/purge.ts",
        find: "isFinal === 1 && known.has(batchId)",
        replace: "(isFinal === 1 || batchId > 0) && known.has(batchId)",
      },
    ],
    options: ["--messages", "600"],
  },
  {
    name: "pause-forgotten-at-start",
    bug: "what an administrator paused is known to the process that was told, and to no later one: after a start everything leaves",
    edits: [
      {
        file: "src/channels/sms/smpp-worker.ts",
        find: "  let pauses = allPauses(deps.store.read);\n",
        replace: "  let pauses: ReturnType<typeof allPauses> = [];\n",
      },
    ],
    options: ["--messages", "600", "--faults", "busy,kill,stop"],
  },
];
