/** Bugs that were there once and were found by hand, brought back by the smallest edit that makes today's source behave so again. */
import type { Plant } from "./plant.ts";

export const BROUGHT_BACK: readonly Plant[] = [
  {
    name: "failed-staging-counts",
    bug: "what a submission had staged that failed on a full disk goes on counting, so that its repetition loses recipients to DUPLICATE_RECENT_BODY",
    edits: [
      {
        file: "src/domain/submission/staging.ts",
        find: "    stage.isVoid();\n    if (id !== null && !isAnswered && !isStopping()) await tryToDrop(store, log, id);\n    stage.end();",
        replace:
          "    if (id === null || isAnswered || isStopping() || (await tryToDrop(store, log, id))) stage.end();",
      },
      {
        file: "src/domain/submission/staging.ts",
        find: "batchId: number): Promise<void> {\n  try {\n    await dropBatch(store, batchId);",
        replace: "batchId: number): Promise<boolean> {\n  try {\n    return await dropBatch(store, batchId);",
      },
      {
        file: "src/domain/submission/staging.ts",
        find: 'is dropped later", { ...errorFields(error) });',
        replace: 'is dropped later", { ...errorFields(error) });\n    return false;',
      },
    ],
    options: ["--messages", "800", "--faults", "filling"],
  },
  {
    name: "sends-on-while-stopping",
    bug: "a stop ends the operators' lines last, so that it goes on claiming and sending after it was asked for",
    edits: [
      { file: "src/app/app.ts", find: '    plan.first("claiming", delivery.halt);\n', replace: "" },
      {
        file: "src/app/app.ts",
        find: 'plan.together("operators",',
        replace: 'plan.last("operators",',
      },
    ],
    options: ["--faults", "stop"],
  },
  {
    name: "late-refusal-decides",
    bug: "a late refusal of one submit ends its message while others of it are in doubt: FAILED and released, then delivered and never charged",
    edits: [
      {
        file: "src/channels/sms/attempt-result.ts",
        find: "if (!found.isWaiting || hasUnknownOutcome(tx, messageId)) return null;",
        replace: "if (!found.isWaiting) return null;",
      },
      {
        file: "src/channels/sms/attempt-result.ts",
        find: 'if (answer?.kind !== "refused" || hasUnknownOutcome(tx, messageId)) return null;',
        replace: 'if (answer?.kind !== "refused") return null;',
      },
    ],
    options: ["--faults", "habits"],
  },
  {
    name: "wire-fault-swallowed",
    bug: "an exception between claim and wire is swallowed: the message stays SUBMITTED, held by nobody who knows, with its money",
    edits: [
      {
        file: "src/channels/sms/smpp-worker.ts",
        find: "      this.fault(session, beginAttempt(candidate, 1, config.route, isSecond), error);\n      return;",
        replace: "      return;",
      },
      {
        file: "src/channels/sms/submit-sm.ts",
        find: "    if (coded === null) return { dataCoding: UCS2,",
        replace:
          '    if (coded === null && connection.default_alphabet !== "gsm") throw new Error("no such character");\n    if (coded === null) return { dataCoding: UCS2,',
      },
    ],
    options: ["--faults", ""],
  },
  {
    name: "claims-behind-a-cancel",
    bug: "a claim that waits behind `batch cancel` in the writer is carried out after it",
    edits: [
      {
        file: "src/domain/messages/transitions.ts",
        find: 'if (before.status !== "QUEUED" || cancelReason !== null) return unchanged(before);',
        replace: 'if (before.status !== "QUEUED") return unchanged(before);',
      },
    ],
    options: ["--messages", "600", "--faults", "busy"],
  },
  {
    name: "claims-behind-a-suspension",
    bug: "a claim that waits behind `account suspend` in the writer is carried out after it",
    edits: [
      {
        file: "src/domain/accounts/suppressions.ts",
        find: '  if (row?.isActive !== 1) return "SUSPENDED";\n  return row.isSuppressed === 1',
        replace: "  return row?.isSuppressed === 1",
      },
    ],
    options: ["--messages", "600", "--faults", "busy"],
  },
  {
    name: "receipts-by-the-clock",
    bug: "a receipt is held against wall times, so that after the clock was set back those of what left before are parked for good",
    edits: [
      {
        file: "src/domain/messages/segments.ts",
        find: "    unmatched_before AS unmatchedBefore, pdu_parameters_id AS pduParametersId\n  FROM parts WHERE",
        replace:
          "    unmatched_before AS unmatchedBefore, pdu_parameters_id AS pduParametersId, sent_at AS sentAt\n  FROM parts WHERE",
      },
      {
        file: "src/channels/sms/delivery-receipts.ts",
        find: "numbers: [msisdn, otherNumber], unmatchedId, isMarked: receipt.isMarked };",
        replace:
          "numbers: [msisdn, otherNumber], unmatchedId, isMarked: receipt.isMarked, atMs: receipt.receivedAtMs };",
      },
      {
        file: "src/channels/sms/delivery-receipts.ts",
        find: "function known(read: Reader, { family, unmatchedId }: ReceiptKeys, key: string): IdentifiedPart[] {\n  return partsByRemoteKey(read, family, key).filter((part) => wasSubmitted(part, unmatchedId));",
        replace:
          "function known(read: Reader, keys: ReceiptKeys, key: string): IdentifiedPart[] {\n  const { family, atMs } = keys as ReceiptKeys & { atMs: number };\n  const parts = partsByRemoteKey(read, family, key) as (IdentifiedPart & { sentAt: number })[];\n  return parts.filter(({ sentAt }) => sentAt <= atMs + 2000);",
      },
    ],
    options: ["--faults", "clock"],
  },
  {
    name: "clock-always-believed",
    bug: "a clock that runs ahead for a moment is believed: what is queued expires, and what is scheduled leaves or is called off",
    edits: [
      {
        file: "src/core/trusted-clock.ts",
        find: "      return offsetMs - trust.offsetMs > JUMP_MS\n",
        replace: "      return offsetMs - trust.offsetMs > 100 * 365 * 86_400_000\n",
      },
    ],
    options: ["--faults", "clock"],
  },
  {
    name: "ledger-never-dates-back",
    bug: "an entry of the ledger is never dated before the last one, so that one moment of a fast clock dates all that follow",
    edits: [
      {
        file: "src/domain/ledger/wallet.ts",
        find: "$batchId, $note, $atMs)",
        replace:
          "$batchId, $note, max($atMs, coalesce((SELECT max(created_at) FROM ledger WHERE account_id = $accountId), 0)))",
      },
    ],
    options: ["--faults", "clock"],
  },
];
