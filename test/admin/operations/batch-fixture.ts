import { topUp } from "../../../src/domain/ledger/funding.ts";
import { reserve } from "../../../src/domain/ledger/reservations.ts";
import { readWallet } from "../../../src/domain/ledger/wallet.ts";
import type { AdminFixture } from "./fixture.ts";

type Status = "QUEUED" | "SUBMITTED" | "SENT";

export type PlantedBatch = {
  readonly account: string;
  readonly status: string;
  /** Where its messages stand; each costs 15 XOF. */
  readonly messages?: readonly Status[];
  /** Reasons; a number where the recipient's is known. */
  readonly rejections?: readonly (string | { readonly reason: string; readonly msisdn: string })[];
};

/** Writes a batch with paid messages as it would stand in the middle of its life; its id. */
export function plantBatch({ context, clock }: AdminFixture, planted: PlantedBatch): Promise<string> {
  const ulid = context.newId();
  const nowMs = clock.nowMs();
  const { messages = [], rejections = [] } = planted;
  const sent = messages.filter((status) => status === "SENT").length;
  return context.store.write((tx) => {
    const accountId = tx.get<{ id: number }>("SELECT id FROM accounts WHERE ulid = ?", planted.account)!.id;
    const firstId =
      tx.get<{ next: number | null }>("SELECT max(first_message_id + accepted) AS next FROM batches")?.next ??
      1;
    const amount = messages.length * 15;
    const batchId = tx.insert(
      `INSERT INTO batches (ulid, account_id, status, sender, channel, message_class, body, is_test, timezone,
         created_at, expires_at, charge_on, first_message_id, accepted, rejected, total_segments, queued, submitted,
         sent, unfinished, unclosed, reserved_amount, charged_amount)
       VALUES (?1, ?2, ?3, 'SHOP', 'SMS', 'MARKETING', 'Bonjour', 0, 'Africa/Ouagadougou', ?4, ?5, 'accepted', ?6,
         ?7, ?8, ?7, ?7, ?9, ?9, ?7, ?7 - ?9, ?10, ?9 * 15)`,
      ...[ulid, accountId, planted.status, nowMs, nowMs + 86_400_000, firstId],
      ...[messages.length, rejections.length, sent, amount],
    );
    for (const [position, status] of messages.entries()) {
      tx.run(
        `INSERT INTO messages (id, ulid, account_id, batch_id, position, msisdn, operator, status, is_money_closed,
           encoding, segments, price, amount, not_before, stamp_us, created_at)
         VALUES (?, ?, ?, ?, ?, ?, 'orange', ?, ?, 'GSM7', 1, 15, ?, ?, ?, ?)`,
        ...[firstId + position, context.newId(), accountId, batchId, position],
        ...[`+22605${String(position).padStart(6, "0")}`, status, status === "SENT" ? 1 : 0],
        ...[status === "SENT" ? 15 : 0, nowMs, (nowMs - 3_600_000) * 1000 + firstId + position, nowMs],
      );
    }
    for (const [index, rejection] of rejections.entries()) {
      const { reason, msisdn } =
        typeof rejection === "string" ? { reason: rejection, msisdn: null } : rejection;
      tx.run(
        "INSERT INTO rejections (batch_id, position, msisdn, reason) VALUES (?, ?, ?, ?)",
        ...[batchId, messages.length + index, msisdn, reason],
      );
    }
    if (amount > 0) {
      const funding = { accountId, accountUlid: planted.account, amount, reference: ulid, atMs: nowMs };
      topUp(tx, funding);
      const wallet = readWallet(tx, accountId);
      reserve(tx, { accountId, wallet, batchId, batchUlid: ulid, amount, atMs: nowMs });
      tx.run("UPDATE wallets SET reserved = reserved - ? WHERE account_id = ?", sent * 15, accountId);
    }
    return ulid;
  });
}
