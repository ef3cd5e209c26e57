/** A text over an operator outside all accounts, through the appliance whole and the simulated operator. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  type OperatorTestView,
  operatorTestView,
  type TestMessageRow,
} from "../../../src/channels/sms/test-messages.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { STATUS } from "../../../src/smpp/status.ts";
import { type Stage, stage } from "../../scenarios/stage.ts";

let whole: Stage;
beforeEach(async () => {
  whole = await stage();
  await bound();
});
afterEach(() => whole.close());

/** Lets time go by until the operator is bound. */
async function bound(): Promise<void> {
  while (!JSON.stringify(await whole.admin("operator status")).includes('"BOUND"')) {
    await whole.clock.advance(20);
  }
}

const NUMBER = "+22670000001";
type Args = Readonly<Record<string, string>>;

/** Lets time go by until a promise is there. */
async function passing<T>(promise: Promise<T>): Promise<T> {
  let isThere = false;
  const seen = promise.finally(() => {
    isThere = true;
  });
  while (!isThere) await whole.clock.advance(50);
  return seen;
}

async function tested(args: Args = {}): Promise<OperatorTestView> {
  const answer = whole.admin("operator test", { CODE: "orange", MSISDN: "70 00 00 01", ...args });
  return (await passing(answer)) as OperatorTestView;
}

const refusedAs = async (args: Args = {}): Promise<string> =>
  (await passing(whole.refusal("operator test", { CODE: "orange", MSISDN: "70000001", ...args }))).code;

const listed = async (): Promise<readonly OperatorTestView[]> =>
  (await whole.admin("operator tests")).tests as OperatorTestView[];

/** Every submit that the operator was given. */
const submits = () => whole.smsc.events.filter(({ kind }) => kind === "submit").length;

describe("operator test", () => {
  test("sends one text, and tells when it left, was answered and receipted", async () => {
    const before = whole.clock.nowMs();
    const seen = await tested({ text: "Bonjour Awa", sender: "ACME" });
    expect(seen).toMatchObject({ status: "DELIVERED", to: NUMBER, error: null, action: null, connection: 1 });
    for (const at of [seen.submitted_at, seen.answered_at, seen.receipt_at])
      expect(Date.parse(at ?? "")).toBeGreaterThanOrEqual(before);
    expect(whole.smsc.texts).toMatchObject([{ from: "ACME", to: "22670000001", text: "Bonjour Awa" }]);
    expect(seen.operator_message_id).not.toBeNull();
  });

  test("is recorded, without its text, and listed with what came of it", async () => {
    const { message_id } = await tested({ text: "Bonjour Awa" });
    const audit = JSON.stringify(await whole.admin("audit list", { action: "operator test" }));
    expect([audit.includes(message_id), audit.includes("Bonjour")]).toEqual([true, false]);
    expect(await listed()).toMatchObject([{ message_id, status: "DELIVERED" }]);
    expect(JSON.stringify(whole.log())).not.toContain("Bonjour");
  });

  test("costs no client anything, and stands in no client's feed, batches, report or receipts", async () => {
    const client = await whole.client();
    const { balance, reserved } = await client.balance();
    await tested();
    expect(await client.balance()).toMatchObject({ balance, reserved });
    const { batches } = await whole.admin("batch list", { ACCOUNT: client.accountId });
    const { rows } = await whole.admin("report delivery");
    const { messages } = await whole.admin("message find", { number: NUMBER });
    const { receipts } = await whole.admin("operator receipts");
    expect([batches, rows, messages, receipts]).toEqual([[], [], [], []]);
    expect((await whole.admin("operator status")).connections).toMatchObject([{ receipts_unmatched: 0 }]);
  });

  test("goes before what waits, within window and pace, and a client's messages go on beside it", async () => {
    const client = await whole.client();
    const { batch_id } = await client.submit({
      recipients: Array.from({ length: 300 }, (_, each) => ({ msisdn: String(70_300_000 + each) })),
    });
    expect((await tested()).status).toBe("DELIVERED");
    const batch = await client.until(batch_id, ({ status }) => status === "SETTLED");
    expect(batch.counts).toMatchObject({ delivered: 300 });
  });

  test("a refusal is told with its meaning and what to do", async () => {
    whole.smsc.change({ refusePercent: 100, refuseStatus: STATUS.RINVSRCADR });
    const seen = await tested();
    expect(seen).toMatchObject({ status: "FAILED", error: "SENDER_NOT_REGISTERED", receipt_at: null });
    expect(seen.detail?.params).toMatchObject({ code: "0x0A RINVSRCADR" });
    expect(seen.action).toEqual(phrase("message.trial.action.sender"));
  });
});

describe("operator test that is not answered in full", () => {
  test("without a receipt it says what it waited for, and the list shows it when it comes", async () => {
    whole.smsc.change({ receiptDelayMs: 90_000 });
    const seen = await tested({ wait: "5" });
    expect(seen).toMatchObject({ status: "SENT", error: "NO_RECEIPT", receipt_at: null });
    await whole.clock.advance(120_000);
    expect(await listed()).toMatchObject([{ status: "DELIVERED", error: null }]);
  });

  test("without an answer it may be there, is not sent again, and a late answer counts", async () => {
    whole.smsc.change({ responseDelayMs: 40_000 });
    const seen = await tested({ wait: "30" });
    expect(seen).toMatchObject({ status: "SUBMITTED", error: "NO_ANSWER" });
    await whole.clock.advance(60_000);
    expect([submits(), await listed()]).toMatchObject([1, [{ status: "DELIVERED", error: null }]]);
  });

  test("a stop before the answer leaves it in doubt, and the next start sends nothing", async () => {
    whole.smsc.change({ swallowEvery: 1 });
    const answer = whole.admin("operator test", { CODE: "orange", MSISDN: "70000001" }).catch(() => null);
    while (submits() === 0) await whole.clock.advance(20);
    await whole.stop();
    await passing(answer);
    whole.smsc.change({ swallowEvery: 0 });
    await whole.start();
    await whole.clock.advance(60_000);
    expect([submits(), await listed()]).toMatchObject([1, [{ status: "SUBMITTED", error: "NO_ANSWER" }]]);
  });

  test("with every place of the window taken nothing leaves, and it says so", async () => {
    whole.smsc.change({ responseDelayMs: 15_000 });
    const client = await whole.client();
    await client.submit({
      recipients: Array.from({ length: 400 }, (_, each) => ({ msisdn: String(70_300_000 + each) })),
    });
    while (submits() < 100) await whole.clock.advance(20);
    const seen = await tested({ wait: "2" });
    expect(seen).toMatchObject({ status: "FAILED", error: "NOT_SENT", submitted_at: null });
    await whole.clock.advance(120_000);
    expect(whole.smsc.texts.filter(({ text }) => text.startsWith("Bendre: test"))).toEqual([]);
  });

  test("an operator without receipts has said all with its answer", async () => {
    const { orange } = whole.settings.now().operators;
    if (!orange) throw new Error("the stage has an operator");
    whole.settings.replace({
      ...whole.settings.now(),
      operators: { orange: { ...orange, receipts: false } },
    });
    expect(await tested()).toMatchObject({ status: "SENT", error: null });
  });
});

describe("operator test is refused", () => {
  test("where the text takes more than one SMS, which is said in SMS", async () => {
    const args = { CODE: "orange", MSISDN: "70000001", text: "ɛ".repeat(71) };
    const { detail } = await passing(whole.refusal("operator test", args));
    expect(detail).toEqual(phrase("refusal.INVALID_TEXT.two_sms", { segments: 2 }));
  });

  test("where nothing may leave, before anything is written", async () => {
    expect(await refusedAs({ CODE: "telmob" })).toBe("OPERATOR_UNKNOWN");
    expect(await refusedAs({ MSISDN: "12" })).toBe("INVALID_MSISDN");
    expect(await refusedAs({ sender: "très" })).toBe("INVALID_SENDER");
    expect(await refusedAs({ text: "é".repeat(161) })).toBe("INVALID_TEXT");
    expect(await refusedAs({ text: "ɛ".repeat(71) })).toBe("INVALID_TEXT");
    expect(await refusedAs({ wait: "601" })).toBe("INVALID_NUMBER");
    await whole.admin("operator pause", { CODE: "orange", reason: "tariff" });
    expect(await refusedAs()).toBe("OPERATOR_PAUSED");
    expect([await listed(), submits()]).toEqual([[], 0]);
  });

  test("while the operator is down, with its last error", async () => {
    await passing(whole.smsc.stop());
    await whole.clock.advance(2000);
    const { code, detail } = await passing(
      whole.refusal("operator test", { CODE: "orange", MSISDN: "70000001" }),
    );
    expect([code, detail.code]).toEqual(["OPERATOR_DOWN", "refusal.OPERATOR_DOWN"]);
  });

  test("after ten within an hour, and no longer", async () => {
    for (let each = 0; each < 10; each++) expect((await tested()).status).toBe("DELIVERED");
    expect(await refusedAs()).toBe("TOO_MANY_TESTS");
    await whole.clock.advance(3_600_000);
    expect((await tested()).status).toBe("DELIVERED");
  });
});

describe("what is said of a test", () => {
  const ROW: TestMessageRow = {
    id: 1,
    ulid: "01",
    operator: "orange",
    msisdn: NUMBER,
    sender: "ACME",
    actor: "awa",
    claimedAtMs: 1,
    connection: 1,
    submittedAtMs: 2,
    outcome: null,
    answeredAtMs: null,
    commandStatus: null,
    remoteId: null,
    rawState: null,
    operatorCode: null,
    failure: null,
    receiptAtMs: null,
  };
  const accepted = { ...ROW, outcome: "accepted" as const, commandStatus: 0 };
  const statuses = [...Object.values(STATUS).filter((status) => status !== 0), 0x455];
  const rows: readonly TestMessageRow[] = [
    ROW,
    { ...ROW, submittedAtMs: null },
    { ...ROW, outcome: "unanswered" },
    { ...ROW, outcome: "not_sent" },
    accepted,
    { ...accepted, receiptAtMs: 3, failure: "ABSENT_SUBSCRIBER", rawState: "UNDELIV", operatorCode: "27" },
    { ...accepted, receiptAtMs: 3, failure: "UNDELIVERABLE", rawState: "UNDELIV" },
    ...statuses.map((commandStatus) => ({ ...ROW, outcome: "refused" as const, commandStatus })),
  ];

  test("every wrong end has a word, a meaning and something to do", () => {
    for (const row of rows) {
      const { error, detail, action } = operatorTestView(row, true);
      expect([typeof error, typeof detail?.code, typeof action?.code]).toEqual([
        "string",
        "string",
        "string",
      ]);
    }
  });

  test("an answer of the operator is told with its code and what that means", () => {
    const { detail, action } = operatorTestView({ ...ROW, outcome: "refused", commandStatus: 0x0a }, true);
    expect([detail, action]).toEqual([
      phrase("message.trial.refused", {
        code: "0x0A RINVSRCADR",
        meaning: phrase("message.status.RINVSRCADR"),
      }),
      phrase("message.trial.action.sender"),
    ]);
  });
});
