/** Bugs that somebody could make in what clients are answered and told, and in their money. */
import type { Plant } from "./plant.ts";

export const OF_BOOKS: readonly Plant[] = [
  {
    name: "lost-release",
    bug: "what a cancelled message had reserved is not given back",
    edits: [
      {
        file: "src/domain/messages/batch-totals.ts",
        find: "    moves.released += reservedOf(after) - after.amount;",
        replace: '    if (after.status !== "CANCELLED") moves.released += reservedOf(after) - after.amount;',
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "cancel-without-its-hour",
    bug: "a batch that is cancelled does not say when that was asked for",
    edits: [
      {
        file: "src/domain/messages/cancellation.ts",
        find: '      reason === "CANCELLED" ? nowMs : null,',
        replace: '      reason !== "CANCELLED" ? nowMs : null,',
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "charged-by-message",
    bug: "a message of several parts is charged as one",
    edits: [
      {
        file: "src/domain/messages/message-money.ts",
        find: "const whole = costOf(message);",
        replace: "const whole = costOf({ ...message, segments: 1 });",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "price-of-today",
    bug: "a message is charged at the price of the moment it is sent, and not at the one it was accepted at",
    edits: [
      {
        file: "src/domain/messages/apply-facts.ts",
        find: "state: { ...row, excess: 0, isFinal: row.isFinal === 1,",
        replace:
          "state: { ...row, excess: 0, price: read.get<{ amount: number }>(\"SELECT amount FROM account_prices p JOIN messages m ON p.account_id = m.account_id AND p.operator = m.operator WHERE m.id = ? AND p.message_class = ''\", id)?.amount ?? row.price, isFinal: row.isFinal === 1,",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "top-up-counts-twice",
    bug: "a top-up with a reference that was used already is paid in once more",
    edits: [
      {
        file: "src/domain/ledger/funding.ts",
        find: "  if (known)\n    return known.amount",
        replace: "  if (known && known.atMs === atMs)\n    return known.amount",
      },
      {
        file: "src/domain/ledger/funding.ts",
        find: "    cause,\n    batchId: null,\n    note: reference,",
        replace: '    cause: cause + (known ? " " + atMs : ""),\n    batchId: null,\n    note: reference,',
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "accepted-before-durable",
    bug: "a 202 is answered before its commit is synced, so that a power cut forgets the batch",
    edits: [
      {
        file: "src/domain/submission/submit.ts",
        find: 'store.write(work, "at once", isUrgent',
        replace: 'store.write(work, "with the next", isUrgent',
      },
    ],
    options: ["--faults", "kill,fates"],
  },
  {
    name: "reply-kept-apart",
    bug: "the answer of an Idempotency-Key is kept in a transaction of its own, after that of the batch: a death between them accepts it twice",
    edits: [
      {
        file: "src/domain/submission/submit.ts",
        find: "    storeReply(tx, key, reply, batch.id, deps.clock.nowMs());\n",
        replace: "",
      },
      {
        file: "src/domain/submission/submit.ts",
        find: "  ring(deps, taken.value.batch);\n",
        replace:
          "  const { reply, batch } = taken.value;\n  await deps.store.write((tx) => storeReply(tx, key, reply, batch.id, deps.clock.nowMs()));\n  ring(deps, taken.value.batch);\n",
      },
    ],
    options: ["--faults", "kill,fates"],
  },
  {
    name: "feed-cursor-too-far",
    bug: "the feed's cursor is rounded up to the next millisecond, over what stands between",
    edits: [
      {
        file: "src/domain/messages/feed.ts",
        find: "nextUs: last ? last.stamp + 1 : query.sinceUs,",
        replace: "nextUs: last ? Math.ceil((last.stamp + 1) / 1000) * 1000 : query.sinceUs,",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "endpoint-cursor-too-early",
    bug: "an endpoint's cursor passes an event that is not answered yet, so that a death loses it",
    edits: [
      {
        file: "src/webhooks/endpoint-worker.ts",
        find: "cursors: () => ({ feedUs: feed.mark(), eventId: events.mark() }),",
        replace: "cursors: () => ({ feedUs: feed.passed(), eventId: events.passed() }),",
      },
    ],
    options: ["--faults", "kill,receiver habits"],
  },
  {
    name: "event-retried-too-early",
    bug: "a failed event is tried again after a tenth of the time that was configured",
    edits: [
      {
        file: "src/webhooks/retry-schedule.ts",
        find: "jitter(chance, seconds * 1000, RETRY_JITTER)",
        replace: "jitter(chance, seconds * 100, RETRY_JITTER)",
      },
    ],
    options: ["--faults", "receiver habits"],
  },
  {
    name: "old-secret-forgotten",
    bug: "a rotated webhook secret stops signing at once, not a day later",
    edits: [
      {
        file: "src/webhooks/signing.ts",
        find: "const previousUntilMs = nowMs + PREVIOUS_SECRET_MS;",
        replace: "const previousUntilMs = nowMs + 0 * PREVIOUS_SECRET_MS;",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "batch-of-others",
    bug: "whoever knows its id reads another account's batch",
    edits: [
      {
        file: "src/domain/messages/batches.ts",
        find: "WHERE ulid = ? AND account_id = ? AND status <> 'STAGING'`,\n    ulid,\n    accountId,",
        replace:
          "WHERE ulid = ? AND account_id <= ? + 1000000 AND status <> 'STAGING'`,\n    ulid,\n    accountId,",
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "revoked-key-works",
    bug: "a key that was revoked goes on opening the door",
    edits: [
      {
        file: "src/domain/accounts/api-keys.ts",
        find: 'if (candidate.revoked_at !== null || candidate.account_status !== "ACTIVE") return null;',
        replace: 'if (candidate.account_status !== "ACTIVE") return null;',
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "submitted-counted-twice",
    bug: "a batch counts a message as submitted at each attempt",
    edits: [
      {
        file: "src/domain/messages/transitions.ts",
        find: 'reached: before.attempts === 0 ? ["SUBMITTED"] : [],',
        replace: 'reached: ["SUBMITTED"],',
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "duplicates-of-a-step",
    bug: "numbers that stand twice in a large batch are told apart only within a step of its validation",
    edits: [
      {
        file: "src/domain/submission/expand-recipients.ts",
        find: "    if (seen.has(number.msisdn)) return",
        replace: "    if (position % 250 === 0) seen.clear();\n    if (seen.has(number.msisdn)) return",
      },
    ],
    options: ["--messages", "1000", "--faults", ""],
  },
  {
    name: "settled-untold",
    bug: "a message that ends without a receipt is told by no event",
    edits: [
      {
        file: "src/webhooks/endpoint-worker.ts",
        find: "      const told = messageEvent(whose, row);\n",
        replace:
          '      if (row.status === "SENT") return [];\n      const told = messageEvent(whose, row);\n',
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "changes-unsynced",
    bug: "an administrative change is answered before it is synced, so that a power cut forgets it",
    edits: [
      {
        file: "src/admin/operations/change.ts",
        find: "    return done(value);\n  });",
        replace: '    return done(value);\n  }, "with the next");',
      },
    ],
    options: ["--faults", "kill"],
  },
];
