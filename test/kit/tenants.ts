import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { intakeChannels } from "../../src/app/channels.ts";
import type { Config } from "../../src/config/config.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { idFactory, type NewId } from "../../src/core/ids.ts";
import { accepted } from "../../src/core/refusals.ts";
import type { Store } from "../../src/db/store.ts";
import { createAccount, type NewAccount } from "../../src/domain/accounts/accounts.ts";
import { MESSAGE_CLASSES, type MessageClass } from "../../src/domain/accounts/message-class.ts";
import {
  approveSender,
  registerSender,
  requestSender,
  senderByName,
} from "../../src/domain/accounts/senders.ts";
import { topUp } from "../../src/domain/ledger/funding.ts";
import { openWallet, readWallet, type Wallet } from "../../src/domain/ledger/wallet.ts";
import { messageIds } from "../../src/domain/messages/insert.ts";
import { type Stages, stages } from "../../src/domain/messages/staged-recipients.ts";
import type { RequestRecipient } from "../../src/domain/submission/recipients.ts";
import { rejectionCounts } from "../../src/domain/submission/rejections.ts";
import type { BatchRequest } from "../../src/domain/submission/request.ts";
import {
  type SubmissionOrder,
  type Submit,
  type SubmitDeps,
  submitter,
} from "../../src/domain/submission/submit.ts";
import { english } from "../../src/i18n/text.ts";
import { openNewStore } from "./new-store.ts";
import { type KeptNote, noteText } from "./note-text.ts";
import { seededChance } from "./test-chance.ts";
import { type TestClock, testClock } from "./test-clock.ts";
import { type LogLine, testLog } from "./test-log.ts";

export type MessageRow = {
  readonly id: number;
  readonly batch_id: number;
  readonly msisdn: string;
  readonly operator: string;
  readonly status: string;
  readonly is_final: number;
  readonly is_money_closed: number;
  readonly segments: number;
  readonly price: number;
  readonly amount: number;
  readonly text: string | null;
  readonly not_before: number;
  readonly attempts: number;
  readonly resends: number;
  readonly unanswered_until: number | null;
  readonly error_code: string | null;
  readonly operator_code: string | null;
};

export type BatchRow = {
  readonly id: number;
  readonly ulid: string;
  readonly status: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly submitted: number;
  readonly sent: number;
  readonly delivered: number;
  readonly failed: number;
  readonly charged_amount: number;
  readonly released_amount: number;
};

/** Accounts that may send, in a real database of their own. */
export type Tenants = {
  readonly store: Store;
  readonly clock: TestClock;
  readonly newId: NewId;
  readonly lines: readonly LogLine[];
  readonly submit: Submit;
  /** A submission under a key of its own, for `submit`; its answer is the JSON of what was accepted. */
  readonly order: (accountId: number, request: BatchRequest) => SubmissionOrder;
  /** What `submit` stages at this moment. */
  readonly stages: Stages;
  /** What `submit` is built on, and a validator can be. */
  readonly intake: SubmitDeps;
  /** An active account with funds and the sender ACME, registered with every operator of the configuration. */
  readonly account: (changes?: Partial<NewAccount> & { readonly funds?: number }) => Promise<number>;
  /** Submits a batch that must be accepted; its row id. */
  readonly send: (
    accountId: number,
    messageClass: MessageClass,
    recipients: readonly (string | RequestRecipient)[],
    changes?: Partial<BatchRequest>,
  ) => Promise<number>;
  /** The only message to a number given in its national form. */
  readonly message: (national: string) => MessageRow;
  readonly messagesOf: (batchId: number) => MessageRow[];
  readonly batch: (batchId: number) => BatchRow;
  readonly wallet: (accountId: number) => Wallet;
  readonly notes: (messageId: number) => string[];
  /** Rows of a table. */
  readonly count: (table: string) => number;
  readonly close: () => Promise<void>;
};

/** `onQueued` is told of every batch that waits to be sent, `takeFastPathSlot` is asked for room for what need not wait. */
export function tenants(
  config: Config,
  onQueued: SubmitDeps["onQueued"] = () => {},
  passage: SubmitDeps["takeFastPathSlot"] = () => null,
): Tenants {
  const directory = mkdtempSync(join(tmpdir(), "bendre-tenants-"));
  const clock = wholeMilliseconds(testClock());
  const store = openNewStore(directory, clock);
  const newId = idFactory(clock, seededChance(1));
  const log = testLog();
  const intake: SubmitDeps = {
    settings: settingsHolder(config),
    store,
    clock,
    log,
    newId,
    messageIds: messageIds(store.read),
    stages: stages(),
    rejected: rejectionCounts(),
    onQueued,
    notNow: () => null,
    takeFastPathSlot: passage,
    isStopping: () => false,
    channels: intakeChannels({ settings: settingsHolder(config), store, log }),
    onValidating: () => {},
  };
  const submit = submitter(intake);
  const all = <T>(sql: string, ...params: (string | number)[]): T[] => store.read.all<T>(sql, ...params);
  let keys = 0;
  const order: Tenants["order"] = (accountId, request) => ({
    accountId,
    key: { apiKeyId: 1, text: `order ${++keys}`, bodyDigest: new Uint8Array(32) },
    request: accepted(request),
    replyTo: (batch) => ({ status: 0, text: JSON.stringify(batch) }),
  });
  const one = <T>(sql: string, ...params: (string | number)[]): T => {
    const [row, ...others] = all<T>(sql, ...params);
    if (row === undefined || others.length > 0) throw new Error(`not one row: ${sql} ${params.join()}`);
    return row;
  };
  return {
    store,
    clock,
    newId,
    lines: log.lines,
    submit,
    order,
    stages: intake.stages,
    intake,
    account: ({ funds = 1_000_000, ...changes } = {}) =>
      store.write((tx) => {
        const nowMs = clock.nowMs();
        const ulid = newId();
        const id = createAccount(
          tx,
          {
            ulid,
            name: "Faso Shop",
            timezone: "Africa/Ouagadougou",
            billingMode: "PREPAID",
            creditLimit: 0,
            chargeOn: null,
            classes: MESSAGE_CLASSES,
            ...changes,
          },
          nowMs,
        );
        openWallet(tx, id);
        if (funds > 0) {
          topUp(tx, { accountId: id, accountUlid: ulid, amount: funds, reference: "cash", atMs: nowMs });
        }
        requestSender(tx, id, "ACME", nowMs);
        const sender = senderByName(tx, id, "ACME")!;
        approveSender(tx, sender.id);
        for (const code of Object.keys(config.operators)) registerSender(tx, sender.id, code, nowMs);
        return id;
      }),
    send: async (accountId, messageClass, recipients, changes = {}) => {
      const request = {
        sender: "ACME",
        body: "Bonjour",
        messageClass,
        channel: "SMS" as const,
        recipients: recipients.map((one) =>
          typeof one === "string" ? { msisdn: one, attributes: null } : one,
        ),
        textPolicy: null,
        missingAttributes: null,
        otherTags: [],
        scheduledAt: null,
        timezone: null,
        isTest: false,
        clientReference: null,
        template: null,
        ...changes,
      };
      const answer = await submit(order(accountId, request));
      if (answer.kind === "accepted") return answer.batch.id;
      if (answer.kind !== "refused") throw new Error(answer.kind);
      throw new Error(`${answer.refusal.code}: ${english(answer.refusal.detail)}`);
    },
    message: (national) => one("SELECT * FROM messages WHERE msisdn = ?", `+226${national}`),
    messagesOf: (batchId) => all("SELECT * FROM messages WHERE batch_id = ? ORDER BY id", batchId),
    batch: (batchId) => one("SELECT * FROM batches WHERE id = ?", batchId),
    wallet: (accountId) => readWallet(store.read, accountId),
    notes: (messageId) =>
      all<KeptNote>("SELECT what, detail FROM message_notes WHERE message_id = ? ORDER BY id", messageId).map(
        noteText,
      ),
    count: (table) => one<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).n,
    close: async () => {
      await store.close();
      rmSync(directory, { recursive: true });
    },
  };
}

/** Timers that fire on whole milliseconds, as the machine's wall clock shows them, whatever jitter asks for. */
function wholeMilliseconds(clock: TestClock): TestClock {
  return { ...clock, after: (delayMs, callback) => clock.after(Math.ceil(delayMs), callback) };
}

/** Resolves once the condition holds; looked at after every turn of the event loop. The runner's timeout is its end. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise<void>((resolve) => setImmediate(resolve));
}
