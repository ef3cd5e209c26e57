import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { idFactory, type NewId } from "../../src/core/ids.ts";
import type { ChargeOn } from "../../src/core/money.ts";
import { PLAIN_TEXT_RULES } from "../../src/core/text-rules.ts";
import type { Store } from "../../src/db/store.ts";
import { createAccount } from "../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES } from "../../src/domain/accounts/message-class.ts";
import { topUp } from "../../src/domain/ledger/funding.ts";
import { reserve } from "../../src/domain/ledger/reservations.ts";
import { openWallet, readWallet } from "../../src/domain/ledger/wallet.ts";
import { type Applied, applyFacts } from "../../src/domain/messages/apply-facts.ts";
import type { BatchStatus } from "../../src/domain/messages/batch-status.ts";
import type { Fact } from "../../src/domain/messages/facts.ts";
import { stampClock } from "../../src/domain/messages/feed-stamps.ts";
import { insertBatch, insertMessages, messageIds, openBatch } from "../../src/domain/messages/insert.ts";
import { openNewStore } from "./new-store.ts";
import { type KeptNote, noteText } from "./note-text.ts";
import { seededChance } from "./test-chance.ts";
import { type TestClock, testClock } from "./test-clock.ts";

/** A directory that is this test's alone, and how to be rid of it. */
export function ownDirectory(): { readonly path: string; readonly remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), "bendre-books-"));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

export type BatchRow = Readonly<
  Record<
    | "id"
    | "accepted"
    | "queued"
    | "submitted"
    | "sent"
    | "delivered"
    | "failed"
    | "cancelled"
    | "unfinished"
    | "unclosed"
    | "reserved_amount"
    | "charged_amount"
    | "released_amount"
    | "posted_charged"
    | "posted_released"
    | "postings",
    number
  > & { status: BatchStatus; ulid: string; cancel_reason: string | null; ended_at: number | null }
>;

export type StoredMessage = Readonly<
  Record<
    | "id"
    | "batch_id"
    | "is_final"
    | "is_money_closed"
    | "segments"
    | "price"
    | "amount"
    | "attempts"
    | "resends"
    | "not_before",
    number
  > & { status: string; ulid: string; error_code: string | null; stamp_us: number | null }
>;

export type TestAccount = { readonly id: number; readonly ulid: string };

export type TestBatch = { readonly id: number; readonly ulid: string; readonly messages: readonly number[] };

export type BatchOptions = {
  /** Segments of each message; one message of one segment if left out. */
  readonly segments?: readonly number[];
  /** Whole XOF per segment. */
  readonly price?: number;
  readonly chargeOn?: ChargeOn;
  readonly scheduledAt?: number | null;
  /** Of WhatsApp, and may go on as an SMS that costs so much. */
  readonly smsPrice?: number;
  /** As batches above 250 rows are: its messages are stamped by rule. */
  readonly isStaged?: boolean;
  /** Leaves a staged batch closed, as a process that ended would. */
  readonly staysClosed?: boolean;
};

/** Accounts with wallets, and batches paid from them, in a real database. */
export type Books = {
  readonly store: Store;
  readonly clock: TestClock;
  readonly newId: NewId;
  /** A prepaid account with money, or what `changes` say. */
  readonly account: (changes?: {
    readonly billingMode?: "PREPAID" | "POSTPAID";
    readonly creditLimit?: number;
    readonly funds?: number;
  }) => Promise<TestAccount>;
  readonly batch: (account: TestAccount, options?: BatchOptions) => Promise<TestBatch>;
  /** Applies facts in one transaction. */
  readonly apply: (...facts: readonly Fact[]) => Promise<Applied[]>;
  readonly batchRow: (id: number) => BatchRow;
  readonly messageRow: (id: number) => StoredMessage;
  readonly notes: (messageId: number) => string[];
  readonly close: () => Promise<void>;
};

export function openBooks(): Books {
  const directory = ownDirectory();
  const clock = testClock();
  const store = openNewStore(directory.path, clock);
  const newId = idFactory(clock, seededChance(11));
  const ids = messageIds(store.read);
  const only = <T>(sql: string, id: number): T => {
    const row = store.read.get<T>(sql, id);
    if (row === null) throw new Error(`no row ${id}: ${sql}`);
    return row;
  };
  return {
    store,
    clock,
    newId,
    account: async ({ billingMode = "PREPAID", creditLimit = 0, funds = 1_000_000 } = {}) => {
      const ulid = newId();
      const atMs = clock.nowMs();
      const id = await store.write((tx) => {
        const created = createAccount(
          tx,
          {
            ulid,
            name: "Faso Shop",
            timezone: "Africa/Ouagadougou",
            billingMode,
            creditLimit,
            chargeOn: null,
            classes: MESSAGE_CLASSES,
          },
          atMs,
        );
        openWallet(tx, created);
        if (funds > 0)
          topUp(tx, { accountId: created, accountUlid: ulid, amount: funds, reference: "cash", atMs });
        return created;
      });
      return { id, ulid };
    },
    batch: (account, options = {}) => {
      const { segments = [1], price = 15, chargeOn = "accepted", scheduledAt = null } = options;
      const firstId = ids.take(segments.length);
      return store.write((tx) => {
        const nowMs = clock.nowMs();
        const ulid = newId();
        const id = insertBatch(
          tx,
          {
            ulid,
            accountId: account.id,
            sender: "ACME",
            channel: options.smsPrice === undefined ? "SMS" : "WHATSAPP",
            messageClass: "TRANSACTIONAL",
            body: "Bonjour",
            isTest: false,
            timezone: "Africa/Ouagadougou",
            createdAt: nowMs,
            scheduledAt,
            expiresAt: (scheduledAt ?? nowMs) + 86_400_000,
            chargeOn,
            clientReference: null,
            channelNote: null,
            otherTags: [],
            fallback:
              options.smsPrice === undefined
                ? null
                : {
                    afterMs: 60_000,
                    body: "Bonjour",
                    chargeOn: "accepted",
                    firstExpiresAt: nowMs + 86_400_000,
                    validityMs: 86_400_000,
                  },
            ...PLAIN_TEXT_RULES,
          },
          firstId,
        );
        const stamps = stampClock(tx, nowMs);
        insertMessages(
          tx,
          {
            batchId: id,
            accountId: account.id,
            firstId,
            notBefore: scheduledAt ?? nowMs,
            createdAt: nowMs,
            stampUs: options.isStaged ? null : () => stamps.next(account.id),
          },
          segments.map((count, position) => ({
            ulid: newId(),
            position,
            msisdn: `+22670${String(position).padStart(6, "0")}`,
            operator: "orange",
            encoding: "GSM7",
            segments: count,
            price,
            text: null,
            clientReference: null,
            second:
              options.smsPrice === undefined
                ? null
                : {
                    operator: "orange",
                    encoding: "GSM7",
                    segments: count,
                    price: options.smsPrice,
                    text: null,
                  },
            excess: Math.max(0, count * ((options.smsPrice ?? 0) - price)),
          })),
        );
        if (!options.staysClosed) {
          const total = segments.reduce((sum, count) => sum + count, 0);
          const amount = total * Math.max(price, options.smsPrice ?? 0);
          const wallet = readWallet(tx, account.id);
          reserve(tx, { accountId: account.id, wallet, batchId: id, batchUlid: ulid, amount, atMs: nowMs });
          openBatch(tx, id, {
            status: scheduledAt === null ? "QUEUED" : "SCHEDULED",
            sums: { accepted: segments.length, rejected: 0, segments: total, amount },
            queuedStampUs: options.isStaged ? stamps.run(account.id, segments.length) : null,
            warnings: [],
            endedAt: null,
          });
        }
        return { id, ulid, messages: segments.map((_, index) => firstId + index) };
      });
    },
    apply: (...facts) => store.write((tx) => applyFacts(tx, facts, clock.nowMs())),
    batchRow: (id) => only<BatchRow>("SELECT * FROM batches WHERE id = ?", id),
    messageRow: (id) => only<StoredMessage>("SELECT * FROM messages WHERE id = ?", id),
    notes: (messageId) =>
      store.read
        .all<KeptNote>("SELECT what, detail FROM message_notes WHERE message_id = ? ORDER BY id", messageId)
        .map(noteText),
    close: async () => {
      await store.close();
      directory.remove();
    },
  };
}
