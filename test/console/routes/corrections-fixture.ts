/** A file of which one text was delivered, one failed and one number is missing a digit, and what tests of its corrections do. */
import { expect } from "vitest";
import { BATCH, type Json, latin1, type SendFixture, sendFixture } from "./send-fixture.ts";

export type Corrections = {
  readonly sending: SendFixture;
  /** The batch that the others correct. */
  readonly first: string;
  /** A message of a batch ended, at this moment of the clock. */
  readonly became: (batch: string, number: string, status: string, error?: string | null) => Promise<void>;
  readonly wantedOf: (rows: readonly string[], of?: string, changes?: Json) => Promise<Json>;
  readonly order: (wanted: Json, key: string) => ReturnType<SendFixture["ask"]>;
  /** Sends rows a second later; the id of their batch. */
  readonly sent: (rows: readonly string[], of?: string) => Promise<string>;
};

export async function correctionsFixture(): Promise<Corrections> {
  const sending = await sendFixture();
  let keys = 0;
  const became: Corrections["became"] = async (batch, number, status, error = null) => {
    const { context, admin } = sending.place;
    await context.store.write((tx) =>
      tx.run(
        `UPDATE messages SET status = ?, is_final = 1, is_money_closed = 1, error_code = ?, finalized_at = ?
         WHERE msisdn = ? AND batch_id = (SELECT id FROM batches WHERE ulid = ?)`,
        ...[status, error, admin.clock.nowMs(), `+226${number}`, batch],
      ),
    );
  };
  const wantedOf: Corrections["wantedOf"] = async (rows, of, changes = {}) => {
    const { json } = await sending.bring(latin1(`nom;tel\r\n${rows.join("\r\n")}\r\n`));
    const corrected = of && { of, sends_served: false, sends_failed: true, sends_lasting: true, ...changes };
    return { ...BATCH, body: "Bonjour {nom}", file: json.file_id, ...(corrected ? { corrected } : {}) };
  };
  const order: Corrections["order"] = (wanted, key) =>
    sending.ask("POST", `/send/${sending.account}`, { ...wanted, key: `0123456789${key}` });
  const sent: Corrections["sent"] = async (rows, of) => {
    sending.place.admin.clock.setBy(1000);
    keys += 1;
    const { status, json } = await order(await wantedOf(rows, of), String(keys).padStart(8, "0"));
    expect([status, json.detail]).toEqual([200, undefined]);
    sending.place.admin.clock.setBy(1000);
    return String(json.batch_id);
  };
  const first = await sent(["Awa;05110001", "Ida;05110004", "Bob;511000"]);
  await became(first, "05110001", "DELIVERED");
  await became(first, "05110004", "FAILED", "UNKNOWN_SUBSCRIBER");
  return { sending, first, became, wantedOf, order, sent };
}
