import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { runCommand } from "../../../src/admin/commands.ts";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import type { ValueOf } from "../../../src/admin/operations/operation.ts";
import type { InboundPage } from "../../../src/admin/reports/inbound.ts";
import {
  deriveMessageWait,
  type TraceEvent,
  type TraceView,
} from "../../../src/admin/reports/message-trace.ts";
import type { UnknownOutcomeView } from "../../../src/admin/reports/unknown-outcomes.ts";
import type { RECEIPT_OPERATIONS } from "../../../src/admin/reports/unmatched-receipts.ts";
import { systemPlatform } from "../../../src/app/platform.ts";
import { EXACT_ENGLISH, phrase } from "../../../src/i18n/phrase.ts";
import { withTexts } from "../../../src/i18n/text.ts";
import { shortMessage } from "../../../src/smpp/short-message.ts";
import { encodeGsm } from "../../../src/text/gsm-alphabet.ts";
import { type Rig, type RigOptions, rig } from "../../channels/sms/rig.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { seededChance } from "../../kit/test-chance.ts";
import { codeOf, granted } from "../operations/fixture.ts";

type ReceiptsView = ValueOf<(typeof RECEIPT_OPERATIONS)["operator receipts"]>;

let place: Rig;
let options: RigOptions = {};
beforeEach(() => {
  options = {};
});
afterEach(() => place.close());

function context(): AdminContext {
  const { store, clock, newId } = place;
  const config = configOf(
    document({
      operators: {
        orange: operator({ prefixes: ["22670"], price: 15 }),
        moov: operator({ prefixes: ["22671"], price: 15 }),
      },
    }),
  );
  return {
    store,
    config,
    clock,
    chance: seededChance(3),
    newId,
    actor: "awa",
    server: null,
    machine: systemPlatform,
  };
}

const asked = async <T>(name: string, args: Record<string, string> = {}): Promise<T> =>
  granted(await runCommand(context(), name, args)) as T;
const refused = async (name: string, args: Record<string, string>) =>
  codeOf(await runCommand(context(), name, args));

const open = (more: RigOptions = options) => {
  place = rig(more);
};
const ulidOf = (number: string) =>
  place.store.read.get<{ ulid: string }>("SELECT ulid FROM messages WHERE msisdn = ?", `+226${number}`)!.ulid;
type Told = Omit<TraceView, "events"> & {
  readonly events: readonly (Omit<TraceEvent, "event" | "detail"> & {
    readonly event: string;
    readonly detail: string;
  })[];
};
/** As the command line tells it. */
const trace = async (number: string, more: Record<string, string> = {}) =>
  withTexts(
    await asked<TraceView>("message trace", { MESSAGE: ulidOf(number), ...more }),
    EXACT_ENGLISH,
  ) as Told;

describe("message trace", () => {
  test("tells a delivered message from its acceptance to its receipt, PDUs and money included, text masked", async () => {
    open();
    await place.send(await place.account(), "OTP", ["70000001"], { body: "Code 1234" });
    await place.untilAll("SENT", 1);
    await place.clock.advance(2000);
    await place.receipt("id-1", "DELIVRD");
    const told = await trace("70000001");
    expect(told).toMatchObject({
      operator: "orange",
      message_class: "OTP",
      msisdn: "+22670000001",
      text: "(9 characters; --show-text shows them)",
      status: "DELIVERED",
      is_final: true,
      reserved_amount: 15,
      amount: 15,
    });
    expect(
      told.events.map(({ event, part, connection, detail }) => [
        event,
        part,
        connection,
        detail.replace(/^#\d+/, "#n"),
      ]),
    ).toEqual([
      ["accepted", null, null, "queued; 15 XOF reserved"],
      ["claimed", null, null, "claim 1"],
      [
        "submit_sm",
        "1",
        1,
        "#n ACME (5/0) to 22670000001 (1/1), esm_class 0, data_coding 0, registered_delivery 1",
      ],
      ["submit_sm_resp", "1", 1, "0x00 ROK: accepted, id id-1"],
      ["SENT", null, null, "the operator has all of its SMS"],
      ["squared", null, null, "15 XOF charged"],
      ["receipt", "1", 1, "DELIVRD, err 000: the SMS is DELIVERED"],
      ["DELIVERED", null, null, "final"],
    ]);
    expect(told.events[2]?.pdu).toEqual({
      command: "submit_sm",
      sequence_number: expect.any(Number),
      service_type: "",
      source_addr_ton: 5,
      source_addr_npi: 0,
      source_addr: "ACME",
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      esm_class: 0,
      priority_flag: 1,
      registered_delivery: 1,
      data_coding: 0,
      long_message: "no",
      destination_addr: "22670000001",
      text: "(9 characters; --show-text shows them)",
    });
    expect(told.events[3]?.pdu).toEqual({
      command: "submit_sm_resp",
      sequence_number: told.events[2]?.pdu?.sequence_number,
      command_status: 0,
      message_id: "id-1",
    });
    expect(told.events[6]?.pdu).toMatchObject({ command: "deliver_sm", sequence_number: 1_000_000 });
    expect(JSON.stringify(told)).not.toContain("1234");
    const shown = await trace("70000001", { "show-text": "" });
    expect([shown.text, shown.events[2]?.pdu?.text]).toEqual(["Code 1234", "Code 1234"]);
  });

  test("tells each time the operator put it off, in one line, and its refusal", async () => {
    open({ onSubmit: (submit, count) => submit.refuse(count < 4 ? 0x64 : 0x0b) });
    await place.send(await place.account(), "OTP", ["70000001"]);
    await place.until(() => place.submits.length === 1);
    await place.until(() => deriveMessageWait(context(), ulidOf("70000001")) !== null);
    const first = deriveMessageWait(context(), ulidOf("70000001"));
    expect(first).toMatchObject({
      code: "0x64 RX_T_APPN",
      answer: phrase("message.status.RX_T_APPN"),
      times: 1,
      again_at: new Date(Date.parse(String(first?.last_at)) + 1000).toISOString(),
    });
    while (place.message("70000001").status !== "FAILED") await place.clock.advance(1000);
    expect(deriveMessageWait(context(), ulidOf("70000001"))).toBeNull();
    const { events, amount } = await trace("70000001");
    const answers = events.filter(({ event }) => event === "submit_sm_resp").map(({ detail }) => detail);
    expect(answers).toEqual([
      "0x64 RX_T_APPN: the receiving application has a temporary error; put off, 3 times by then",
      "0x0B RINVDSTADR: the recipient's number is not accepted; refused for good",
    ]);
    expect(events.map(({ event }) => event).slice(-2)).toEqual(["FAILED", "squared"]);
    expect(amount).toBe(0);
  });

  test("tells a long message part by part", async () => {
    open();
    await place.send(await place.account(), "OTP", ["70000001"], { body: "a".repeat(300) });
    await place.untilAll("SENT", 1);
    const { events } = await trace("70000001");
    const submits = events.filter(({ event }) => event === "submit_sm");
    expect(submits.map(({ part, pdu }) => [part, pdu?.long_message, pdu?.esm_class])).toEqual([
      ["1", "udh", 64],
      ["2", "udh", 64],
    ]);
  });

  test("of an id that is none says so", async () => {
    open();
    expect(await refused("message trace", { MESSAGE: "01K00000000000000000000000" })).toBe(
      "MESSAGE_NOT_FOUND",
    );
  });
});

describe("operator unanswered", () => {
  // Keeps: behaviour 6.31
  test("lists what is in doubt and what happens to it, until a receipt settles it", async () => {
    open({ connection: { response_timeout_seconds: 5 }, onSubmit: () => {} });
    await place.send(await place.account(), "MARKETING", ["70000001"]);
    await place.until(() => place.submits.length === 1);
    await place.clock.advance(5000);
    await place.until(() => place.message("70000001").unanswered_until !== null);
    const list = () => asked<{ messages: UnknownOutcomeView[]; has_more: boolean }>("operator unanswered");
    expect(await list()).toEqual({
      messages: [
        {
          message_id: ulidOf("70000001"),
          operator: "orange",
          message_class: "MARKETING",
          msisdn: "+22670000001",
          since: new Date(place.clock.nowMs()).toISOString(),
          resends: 0,
          until: new Date(place.clock.nowMs() + 86_400_000).toISOString(),
          next: phrase("message.next.waits"),
        },
      ],
      sent_twice: [],
      has_more: false,
    });
    expect((await trace("70000001")).events.map(({ event, detail }) => `${event}: ${detail}`)).toContain(
      "no answer: the operator may have it",
    );
    expect(await asked("operator unanswered", { operator: "moov" })).toEqual({
      messages: [],
      sent_twice: [],
      has_more: false,
    });
    expect(await refused("operator unanswered", { operator: "telecel" })).toBe("OPERATOR_UNKNOWN");
    await place.receipt("X1", "DELIVRD", "70000001", {
      shortMessage: new Uint8Array(Buffer.from("id:X1 stat:DELIVRD")),
    });
    expect((await list()).messages).toEqual([]);
    expect((await trace("70000001")).events.map(({ event, detail }) => `${event}: ${detail}`)).toContain(
      "no answer: resolved since",
    );
  });

  test("an OTP whose receipt came before its answer was overdue is not sent a second time", async () => {
    open({ connection: { response_timeout_seconds: 5 }, onSubmit: () => {} });
    await place.send(await place.account(), "OTP", ["70000001"]);
    await place.until(() => place.submits.length === 1);
    await place.receipt("X1", "DELIVRD", "70000001", {
      shortMessage: new Uint8Array(Buffer.from("id:X1 stat:DELIVRD")),
    });
    expect(place.message("70000001").status).toBe("SUBMITTED");
    await place.clock.advance(5000);
    await place.untilAll("DELIVERED", 1);
    await place.clock.advance(60_000);
    expect(place.submits.length).toBe(1);
  });
});

describe("operator receipts", () => {
  test("lists those that match no message, with what was learnt of the ids", async () => {
    open();
    await place.until(() => place.delivery().status()[0]?.connections[0]?.state === "BOUND");
    await place.receipt("unknown-7", "UNDELIV", "70000009");
    const { operators, receipts } = await asked<ReceiptsView>("operator receipts");
    expect(operators).toEqual([
      { operator: "orange", unmatched: 1, ids: phrase("message.ids.exact") },
      { operator: "moov", unmatched: 0, ids: phrase("message.ids.exact") },
    ]);
    expect(receipts).toEqual([
      {
        received_at: new Date(place.clock.nowMs()).toISOString(),
        operator: "orange",
        id: "unknown-7",
        msisdn: "22670000009",
        state: "UNDELIVERABLE",
        stat: "UNDELIV",
        err: "000",
        connection: 1,
        kept_until: new Date(place.clock.nowMs() + 72 * 3_600_000).toISOString(),
      },
    ]);
    expect((await asked<ReceiptsView>("operator receipts", { operator: "moov" })).receipts).toEqual([]);
  });
});

describe("inbound list", () => {
  /** A subscriber's text, answered. */
  const say = (text: string, from = "70000001") =>
    place.receipt("", "", from, {
      ...shortMessage({}),
      sourceAddr: `226${from}`,
      sourceAddrTon: 1,
      destinationAddr: "3210",
      shortMessage: encodeGsm(text)!,
    });

  test("shows what came in, newest first, page by page; the log holds none of it", async () => {
    open();
    await place.until(() => place.delivery().status()[0]?.connections[0]?.state === "BOUND");
    expect(await say("Mon mot secret")).toBe(0);
    await place.clock.advance(60_000);
    await say("STOP");
    const list = (args = {}) => asked<InboundPage>("inbound list", args);
    const all = await list();
    expect(all).toMatchObject({ waiting_for_parts: 0, next_before: null });
    expect(all.texts).toMatchObject([
      { text: "STOP", from: "+22670000001", to: "3210", opt_out: "STOP", opted_out_of: ["everywhere"] },
      { text: "Mon mot secret", hex: null, opt_out: null, opted_out_of: [], times: 1 },
    ]);
    const first = await list({ limit: "1" });
    expect(first.texts.map(({ text }) => text)).toEqual(["STOP"]);
    const second = await list({ limit: "1", before: String(first.next_before) });
    expect(second.texts.map(({ text }) => text)).toEqual(["Mon mot secret"]);
    expect(second.next_before).toBe(null);
    const from = new Date(place.clock.nowMs() - 1000).toISOString();
    expect((await list({ from, operator: "orange" })).texts.map(({ text }) => text)).toEqual(["STOP"]);
    expect((await list({ operator: "moov" })).texts).toEqual([]);
    expect(await refused("inbound list", { from: "yesterday" })).toBe("INVALID_TIME");
    expect(JSON.stringify(place.lines)).not.toContain("secret");
  });

  test("is a line of the audit list each time that it shows texts, with the reason where one is given", async () => {
    open();
    await place.until(() => place.delivery().status()[0]?.connections[0]?.state === "BOUND");
    await say("Mon mot secret");
    await place.clock.advance(60_000);
    await say("STOP");
    const noted = () =>
      place.store.read
        .all<{ action: string; subject: string; detail: string }>(
          "SELECT action, subject, detail FROM audit_entries WHERE action LIKE 'inbound%' ORDER BY id",
        )
        .map(({ detail, ...rest }) => ({ ...rest, detail: JSON.parse(detail) }));
    await asked("inbound list", { operator: "moov" });
    expect(await refused("inbound list", { from: "yesterday" })).toBe("INVALID_TIME");
    expect(noted()).toEqual([]);
    const { texts } = await asked<InboundPage>("inbound list", {});
    const [newest, oldest] = texts.map(({ inbound_id }) => inbound_id);
    await asked("inbound list", { operator: "orange", limit: "1", reason: "a complaint of Awa's" });
    expect(noted()).toEqual([
      { action: "inbound list", subject: `${oldest}-${newest}`, detail: { texts: 2 } },
      {
        action: "inbound list",
        subject: `${newest}-${newest}`,
        detail: { operator: "orange", texts: 1, reason: "a complaint of Awa's" },
      },
    ]);
    expect(await refused("inbound list", { reason: "x".repeat(501) })).toBe("INVALID_REASON");
  });
});
