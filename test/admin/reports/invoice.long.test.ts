import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { INVOICE_OPERATIONS, walletInvoice } from "../../../src/admin/reports/invoice.ts";
import { batchesStatement, batchStatement } from "../../../src/admin/reports/statements.ts";
import { plantBatch } from "../operations/batch-fixture.ts";
import { type AdminFixture, adminFixture, codeOf, granted } from "../operations/fixture.ts";

const ALWAYS = { fromMs: null, toMs: null };

let fixture: AdminFixture;
let account: string;
beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
});
afterEach(() => fixture.close());

const invoice = async (stretch = ALWAYS as { fromMs: number | null; toMs: number | null }) =>
  granted(await walletInvoice(fixture.context, account, stretch));
const sql = (text: string) => fixture.context.store.write((tx) => tx.run(text));

/** A batch a minute. */
async function plant(messages: number, sent = 0): Promise<void> {
  const statuses = Array.from({ length: messages }, (_, n) => (n < sent ? "SENT" : "QUEUED"));
  await plantBatch(fixture, { account, status: "SENDING", messages: statuses });
  await fixture.clock.advance(60_000);
}

describe("an invoice", () => {
  test("names who sells where the configuration does, and nobody where it does not", async () => {
    expect(await invoice()).not.toHaveProperty("seller");
    const seller = {
      name: "Faso SMS SARL",
      address: ["01 BP 1234", "Ouagadougou"],
      tax_numbers: ["IFU 00012345 A"],
    };
    const { config } = fixture.context;
    const context = {
      ...fixture.context,
      config: { ...config, seller: { ...config.seller, ...seller } },
    };
    expect(granted(await walletInvoice(context, account, ALWAYS)).seller).toEqual(seller);
  });

  test("says that it is none, and has a number, a due date and taxes on what was charged", async () => {
    await plant(3, 2);
    const { config } = fixture.context;
    const taxes = [{ name: "TVA", percent: 18 }];
    const context = { ...fixture.context, config: { ...config, seller: { ...config.seller, taxes } } };
    const march = { fromMs: Date.UTC(2026, 2, 1), toMs: Date.UTC(2026, 3, 1) };
    const ofMarch = async () => granted(await walletInvoice(context, account, march));
    const paper = await ofMarch();
    expect(paper).toMatchObject({
      notice: { code: "cli.no_invoice" },
      number: `${account.slice(-8)}-202603`,
      total: { charged: 30 },
      taxes: [{ name: "TVA", percent: 18, amount: 5 }],
      total_with_taxes: 35,
      billing_mode: "PREPAID",
      due_on: null,
      payment: { code: "paper.prepaid.before_taxes", params: { amount: 30 } },
    });
    expect(await invoice()).toMatchObject({ payment: { code: "paper.prepaid" } });
    await sql("UPDATE accounts SET billing_mode = 'POSTPAID'");
    await fixture.clock.advance(86_400_000);
    expect(await ofMarch()).toMatchObject({
      number: paper.number,
      due_on: "2026-04-30",
      payment: null,
    });
    expect(await invoice()).toMatchObject({ number: null, due_on: null, taxes: [], total_with_taxes: 30 });
  });

  test("is provisional until its period is over", async () => {
    const day = { fromMs: Date.UTC(2026, 2, 2), toMs: Date.UTC(2026, 2, 3) };
    expect(await invoice(day)).toMatchObject({ is_provisional: true });
    expect(await invoice()).toMatchObject({ is_provisional: true });
    fixture.clock.setBy(day.toMs - fixture.clock.nowMs());
    expect(await invoice(day)).toMatchObject({ is_provisional: false });
    expect(await invoice()).toMatchObject({ is_provisional: true });
  });

  test("is a PDF where one is asked for, of a period with two ends", async () => {
    const { run } = INVOICE_OPERATIONS["wallet invoice"];
    const asked = { account, from: "2026-03-01", to: "2026-03-31", pdf: true, pdf_in: "fr" as const };
    // What a PDF begins with, in Base64.
    expect(granted(await run(fixture.context, asked))).toHaveProperty(
      "pdf",
      expect.stringMatching(/^JVBERi0/),
    );
    expect(granted(await run(fixture.context, { ...asked, pdf: false }))).not.toHaveProperty("pdf");
    expect(codeOf(await run(fixture.context, { ...asked, to: null }))).toBe("INVALID_TIME");
  });

  test("has a line for each operator, class and price, and a total", async () => {
    await plant(3, 2);
    await plant(2, 2);
    await plant(1);
    await sql("UPDATE messages SET operator = 'moov' WHERE id = 2");
    await sql("UPDATE batches SET message_class = 'OTP' WHERE id = 2");
    await sql("UPDATE messages SET price = 20, segments = 2, is_money_closed = 1 WHERE id = 6");
    const { lines, total, batches, counts, currency } = await invoice();
    const line = (operator: string, message_class: string, price: number, figures: readonly number[]) => {
      const [messages, segments, reserved, charged, released, still_reserved] = figures;
      const [billed_segments, free_segments] = figures.slice(6);
      return {
        channel: "SMS",
        operator,
        message_class,
        price,
        messages,
        segments,
        reserved,
        charged,
        released,
        still_reserved,
        billed_segments,
        free_segments,
      };
    };
    expect(lines).toEqual([
      line("moov", "MARKETING", 15, [1, 1, 15, 15, 0, 0, 1, 0]),
      line("orange", "MARKETING", 15, [2, 2, 30, 15, 0, 15, 1, 0]),
      line("orange", "MARKETING", 20, [1, 2, 40, 0, 40, 0, 0, 2]),
      line("orange", "OTP", 15, [2, 2, 30, 30, 0, 0, 2, 0]),
    ]);
    expect(total).toEqual({
      messages: 6,
      segments: 7,
      reserved: 115,
      charged: 60,
      released: 40,
      still_reserved: 15,
      billed_segments: 4,
      free_segments: 2,
    });
    expect({ batches, currency }).toEqual({ batches: 3, currency: "XOF" });
    expect(counts.code).toBe("cli.counts.consumption");
  });

  test("says of each line how many segments are billed: the price times these is what it charges", async () => {
    await plant(5, 3);
    await sql("UPDATE messages SET segments = 2, amount = 30 WHERE id = 1");
    // The operator took one of its two segments before it failed.
    await sql(
      "UPDATE messages SET status = 'FAILED', is_final = 1, segments = 2, is_money_closed = 1, amount = 15 WHERE id = 2",
    );
    await sql(
      "UPDATE messages SET status = 'FAILED', is_final = 1, is_money_closed = 1, amount = 0 WHERE id = 4",
    );
    const { lines, total } = await invoice();
    expect(lines).toMatchObject([
      {
        price: 15,
        messages: 5,
        segments: 7,
        billed_segments: 4,
        free_segments: 2,
        charged: 60,
        still_reserved: 15,
      },
    ]);
    expect(total).toMatchObject({ billed_segments: 4, free_segments: 2, charged: 60 });
    const [batch] = granted(await batchesStatement(fixture.context, account, ALWAYS)).batches;
    const statement = granted(await batchStatement(fixture.context, account, batch?.batch_id ?? ""));
    expect(statement.lines).toMatchObject([{ billed_segments: 4, free_segments: 2, charged: 60 }]);
  });

  test("counts a batch in the stretch it was accepted in, whole, and leaves other accounts out", async () => {
    const startMs = fixture.clock.nowMs();
    for (const messages of [1, 2, 4]) await plant(messages, 1);
    const other = await fixture.account();
    await plantBatch(fixture, { account: other, status: "SENDING", messages: ["SENT"] });
    await plant(8);
    const messagesOf = async (fromMs: number | null, toMs: number | null) =>
      (await invoice({ fromMs, toMs })).total.messages;
    expect(await messagesOf(null, null)).toBe(15);
    expect(await messagesOf(startMs + 60_000, startMs + 120_000)).toBe(2);
    expect(await messagesOf(startMs + 60_000, null)).toBe(14);
    expect(await messagesOf(null, startMs + 60_000)).toBe(1);
    expect(await messagesOf(startMs + 1, startMs + 2)).toBe(0);
    expect(await invoice({ fromMs: startMs + 1, toMs: startMs + 2 })).toMatchObject({
      batches: 0,
      lines: [],
    });
  });

  test("ties with the statement of the same batches, many small ones and large ones between them", async () => {
    for (let n = 0; n < 520; n++) {
      await plantBatch(fixture, {
        account,
        status: "SENDING",
        messages: n % 3 ? ["SENT"] : ["QUEUED", "SENT"],
      });
    }
    for (const messages of [999, 1000, 1001, 2500, 3]) await plant(messages, messages >> 1);
    await sql("UPDATE messages SET price = 20, segments = 2, amount = amount / 15 * 40 WHERE id % 7 = 0");
    await sql(`UPDATE batches SET
      total_segments = (SELECT sum(segments) FROM messages WHERE batch_id = batches.id),
      reserved_amount = (SELECT sum(segments * price) FROM messages WHERE batch_id = batches.id),
      charged_amount = (SELECT sum(amount) FROM messages WHERE batch_id = batches.id)`);
    const { lines, total, batches } = await invoice();
    const statement = granted(await batchesStatement(fixture.context, account, ALWAYS));
    const { billed_segments, free_segments, ...whole } = total;
    expect(whole).toEqual(statement.total);
    expect({ billed_segments, free_segments }).toEqual({ billed_segments: 3739, free_segments: 0 });
    expect(batches).toBe(525);
    expect(lines.map(({ price }) => price)).toEqual([15, 20]);
    for (const line of lines) {
      expect(line.reserved).toBe(line.segments * line.price);
      expect(line.charged).toBe(line.billed_segments * line.price);
      expect(line.still_reserved).toBe(line.reserved - line.charged - line.released);
    }
  });

  test("leaves out a batch that is still being written, and one that another time was written on", async () => {
    const startMs = fixture.clock.nowMs();
    for (const messages of [1, 2, 4, 8]) await plant(messages);
    await sql("UPDATE batches SET status = 'STAGING' WHERE id = 2");
    await sql(`UPDATE batches SET created_at = ${startMs - 1} WHERE id = 3`);
    expect(await invoice()).toMatchObject({ batches: 3, total: { messages: 13 } });
    const stretch = { fromMs: startMs, toMs: null };
    expect(await invoice(stretch)).toMatchObject({ batches: 2, total: { messages: 9 } });
    expect(granted(await batchesStatement(fixture.context, account, stretch)).total.messages).toBe(9);
  });

  test("finds a batch that was accepted before the clock was set back by hours", async () => {
    for (let n = 0; n < 501; n++) {
      await plantBatch(fixture, { account, status: "SENDING", messages: ["QUEUED"] });
    }
    const fromMs = fixture.clock.nowMs();
    await sql(`UPDATE batches SET created_at = created_at - 3600000 WHERE id > 1`);
    expect(await invoice({ fromMs, toMs: null })).toMatchObject({ batches: 1, total: { messages: 1 } });
  });

  test("finds what was accepted under a clock that ran ahead by days, and leaves out what came after it", async () => {
    const DAY_MS = 86_400_000;
    for (let n = 0; n < 501; n++) {
      await plantBatch(fixture, { account, status: "SENDING", messages: ["QUEUED"] });
    }
    const fromMs = fixture.clock.nowMs() + 2 * DAY_MS;
    await sql(`UPDATE batches SET created_at = created_at + ${3 * DAY_MS} WHERE id IN (1, 2)`);
    expect(await invoice({ fromMs, toMs: null })).toMatchObject({ batches: 2, total: { messages: 2 } });
    expect(await invoice({ fromMs: null, toMs: fromMs })).toMatchObject({ batches: 499 });
  });

  test("of an account that is not there is refused", async () => {
    expect(codeOf(await walletInvoice(fixture.context, "nobody", ALWAYS))).toBe("ACCOUNT_NOT_FOUND");
  });
});
