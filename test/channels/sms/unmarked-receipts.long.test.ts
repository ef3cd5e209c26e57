import { afterEach, describe, expect, test } from "vitest";
import { createSenderReader } from "../../../src/admin/operations/msisdn.ts";
import { expireUnmatchedTexts, unmatchedSweep } from "../../../src/channels/sms/delivery-receipts.ts";
import { inboundRules } from "../../../src/channels/sms/read-deliver-sm.ts";
import {
  readCountedReceipts,
  rememberSettings,
  type UnmarkedSetting,
} from "../../../src/channels/sms/receipt-detection.ts";
import { expireUnknownOutcomes } from "../../../src/channels/sms/submit-results.ts";
import { listTexts } from "../../../src/domain/inbound/inbound-texts.ts";
import type { ShortMessage } from "../../../src/smpp/short-message.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Rig, type RigOptions, rig, until } from "./rig.ts";

const config = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));
const rules = inboundRules({
  config: () => config,
  readNumber: createSenderReader(config),
  onInboundKept: () => {},
});
const HOUR_MS = 3_600_000;
const UNMARKED: Partial<ShortMessage> = { esmClass: 0 };

let running: Rig | null = null;
afterEach(async () => {
  await running?.close();
  running = null;
});

async function started(unmarked: UnmarkedSetting = "auto", options: RigOptions = {}): Promise<Rig> {
  running = rig({ connection: { unmarked_receipts: unmarked }, ...options });
  const appliance = running;
  await appliance.store.write((tx) => rememberSettings(tx, new Map([[accountOf(appliance), unmarked]])));
  await until(() => appliance.delivery().status()[0]?.connections[0]?.state === "BOUND");
  return appliance;
}

const accountOf = ({ smsc }: Rig) => `bendre@127.0.0.1:${smsc.port}`;
const counted = (appliance: Rig) => readCountedReceipts(appliance.store.read, accountOf(appliance));

const number = (index: number) => String(70_000_001 + index);

/** Messages to `count` numbers that the operator accepted as `id-1`, `id-2` … in the order of the numbers. */
async function sent(
  appliance: Rig,
  count: number,
  chargeOn: "accepted" | "delivered" = "accepted",
): Promise<void> {
  const account = await appliance.account({ funds: 100_000 });
  await appliance.store.write((tx) => tx.run("UPDATE accounts SET charge_on = ?", chargeOn));
  const numbers = Array.from({ length: count }, (_, index) => number(index));
  await appliance.send(account, "TRANSACTIONAL", numbers);
  await appliance.untilAll("SENT", count);
  expect(appliance.submits.map(({ to }) => to)).toEqual(numbers);
}

const statuses = ({ store }: Rig) =>
  Object.fromEntries(
    store.read
      .all<{ status: string; n: number }>("SELECT status, count(*) AS n FROM messages GROUP BY status")
      .map(({ status, n }) => [status, n]),
  );

const texts = ({ store }: Rig) =>
  listTexts(store.read, { operator: null, fromMs: 0, beforeId: null }, 1000).map(({ source, text }) => ({
    source,
    text,
  }));

const sweep = async ({ store, clock }: Rig) => {
  const step = unmatchedSweep(store, clock, rules);
  while (await step());
  while (await expireUnmatchedTexts(store, clock, rules));
};

const octets = (text: string) => new Uint8Array(Buffer.from(text, "latin1"));

const dates = "submit date:2603020900 done date:2603020901";

/** What a subscriber may type about a message whose id he knows. `isWhole`: it is a receipt to the last part. */
const VARIANTS: readonly {
  readonly isWhole?: true;
  readonly say: (id: string) => Partial<ShortMessage> | string;
}[] = [
  { say: (id) => `bonjour id:${id} stat:UNDELIV err:011` },
  { say: (id) => `id:${id} stat:UNDELIV err:011` },
  { say: (id) => `id:${id} stat:DELIVRD` },
  { say: (id) => `ID:${id} STAT:UNDELIV` },
  { say: (id) => `ID:${id} SUB:001 DLVRD:001 ${dates.toUpperCase()} STAT:UNDELIV ERR:011` },
  { say: (id) => `Id:${id} Sub:001 Dlvrd:001 ${dates} Stat:UNDELIV Err:011` },
  { say: (id) => `bonjour id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011 text:` },
  { say: (id) => `. id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011 text:` },
  { say: (id) => ` id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011 text:` },
  { say: (id) => `\nid:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011 text:` },
  { say: (id) => `id:${id} sub:001 dlvrd:000 stat:UNDELIV err:011 text:` },
  { say: (id) => `id:${id} ${dates} stat:UNDELIV err:011 text:` },
  { say: (id) => `id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV text:` },
  { say: (id) => `id:${id} sub:001 dlvrd:000 ${dates} err:011 text:` },
  { say: (id) => `id:${id} sub:001 dlvrd:000 submit date:2603020900 stat:UNDELIV err:011` },
  { say: (id) => `id:${id} sub:001 dlvrd:000 done date:2603020900 stat:UNDELIV err:011` },
  { say: (id) => `stat:UNDELIV id:${id} err:011` },
  { say: (id) => `stat:UNDELIV err:011 ${dates} sub:001 dlvrd:000 id:${id}` },
  { say: (id) => `text: id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011` },
  { say: (id) => `id:${id} text:sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011` },
  { say: (id) => `id:${id},stat:UNDELIV,err:011` },
  { say: (id) => `id:${id} sub:x dlvrd:y submit date:hier done date:demain stat:UNDELIV err:011` },
  {
    say: (id) => ({
      esmClass: 0x40,
      shortMessage: Uint8Array.of(
        5,
        0,
        3,
        1,
        1,
        1,
        ...octets(`id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011`),
      ),
    }),
  },
  { isWhole: true, say: (id) => `id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011` },
  { isWhole: true, say: (id) => `id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011 text:bonjour` },
  {
    isWhole: true,
    say: (id) => ({
      shortMessage: octets(""),
      tlvs: { messagePayload: octets(`id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011`) },
    }),
  },
  {
    isWhole: true,
    say: (id) => ({
      dataCoding: 8,
      shortMessage: new Uint8Array(
        Buffer.from(`id:${id} sub:001 dlvrd:000 ${dates} stat:UNDELIV err:011`, "utf16le").swap16(),
      ),
    }),
  },
];

/** The addressee of each message types a variant with its id. */
async function sayVariants(appliance: Rig): Promise<void> {
  for (const [index, { say }] of VARIANTS.entries()) {
    const said = say(`id-${index + 1}`);
    const fields = typeof said === "string" ? { shortMessage: octets(said) } : said;
    expect(
      await appliance.receipt("", "", number(index), { ...UNMARKED, destinationAddr: "3333", ...fields }),
    ).toBe(0);
  }
}

describe("a subscriber's words move neither status nor money", () => {
  // Keeps: behaviour 6.92
  test.each(["accepted", "delivered"] as const)(
    "of 27 kinds, of an account that was seen to mark its receipts, charged when %s",
    async (chargeOn) => {
      const appliance = await started();
      await sent(appliance, VARIANTS.length + 1, chargeOn);
      await appliance.receipt(`id-${VARIANTS.length + 1}`, "DELIVRD", number(VARIANTS.length));
      expect(counted(appliance)).toBe("marked_only");
      const before = appliance.batch(1);
      await sayVariants(appliance);
      expect(statuses(appliance)).toEqual({ SENT: VARIANTS.length, DELIVERED: 1 });
      expect(appliance.batch(1)).toEqual(before);
      expect(texts(appliance)).toHaveLength(VARIANTS.length);
      expect(appliance.count("unmatched_receipts")).toBe(0);
      for (let index = 0; index < VARIANTS.length; index++) {
        await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index));
      }
      expect(statuses(appliance)).toEqual({ DELIVERED: VARIANTS.length + 1 });
    },
  );

  test("of 27 kinds, of an account that nothing is known of: what looks whole waits, and becomes texts with the first marked receipt", async () => {
    const appliance = await started();
    await sent(appliance, VARIANTS.length);
    await sayVariants(appliance);
    const whole = VARIANTS.filter(({ isWhole }) => isWhole).length;
    expect(statuses(appliance)).toEqual({ SENT: VARIANTS.length });
    expect(appliance.count("unmatched_receipts")).toBe(whole);
    expect(texts(appliance)).toHaveLength(VARIANTS.length - whole);
    await appliance.receipt("id-1", "DELIVRD", number(0));
    await sweep(appliance);
    expect(statuses(appliance)).toEqual({ SENT: VARIANTS.length - 1, DELIVERED: 1 });
    expect(appliance.count("unmatched_receipts")).toBe(0);
    expect(appliance.count("unmatched_texts")).toBe(0);
    expect(texts(appliance)).toHaveLength(VARIANTS.length);
  });

  test("however many he sends with ids that he guesses: one number speaks once", async () => {
    const appliance = await started();
    await sent(appliance, 30);
    for (let each = 1; each <= 30; each++)
      await appliance.receipt(`id-${each}`, "UNDELIV", number(4), UNMARKED);
    for (let each = 0; each < 30; each++) await appliance.receipt("id-5", "UNDELIV", number(4), UNMARKED);
    expect(statuses(appliance)).toEqual({ SENT: 30 });
    expect(counted(appliance)).toBe("unknown");
    expect(appliance.count("receipt_detection")).toBe(1);
  });

  test("about another's message, where receipts are known to come without a mark", async () => {
    const appliance = await started("always");
    await sent(appliance, 3);
    for (const id of ["id-1", "id-3"]) await appliance.receipt(id, "UNDELIV", number(1), UNMARKED);
    await appliance.receipt("id-2", "UNDELIV", "", {
      ...UNMARKED,
      sourceAddr: "ACME",
      destinationAddr: "3333",
    });
    expect(statuses(appliance)).toEqual({ SENT: 3 });
  });
});

describe("receipts of a centre that marks nothing", () => {
  // Keeps: behaviour 6.92
  test("wait until 20 numbers have spoken, and then all of them count", async () => {
    const appliance = await started();
    await sent(appliance, 25);
    for (let index = 0; index < 19; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    expect(statuses(appliance)).toEqual({ SENT: 25 });
    const told = appliance.lines.filter(({ message }) => message.includes("wait until it is sure"));
    expect(told).toMatchObject([{ level: "warn", smsc_account: accountOf(appliance) }]);
    await appliance.receipt("id-20", "UNDELIV", number(19), UNMARKED);
    expect(statuses(appliance)).toEqual({ SENT: 5, DELIVERED: 19, FAILED: 1 });
    expect(counted(appliance)).toBe("all");
    expect(appliance.count("unmatched_receipts")).toBe(0);
    for (let index = 20; index < 25; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    expect(statuses(appliance)).toEqual({ DELIVERED: 24, FAILED: 1 });
    expect([
      appliance.count("receipt_detection"),
      appliance.count("unmatched_texts"),
      texts(appliance).length,
    ]).toEqual([0, 0, 0]);
  });

  test("also when they come before the response that brings the id", async () => {
    const held: (() => void)[] = [];
    const appliance = await started("auto", {
      connection: { unmarked_receipts: "auto", window: 100 },
      onSubmit: (submit, count) => held.push(() => submit.accept(`id-${count}`)),
    });
    const numbers = Array.from({ length: 20 }, (_, index) => number(index));
    await appliance.send(await appliance.account(), "TRANSACTIONAL", numbers);
    await until(() => held.length === 20);
    for (const [index, to] of numbers.entries())
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", to, UNMARKED);
    expect(appliance.count("unmatched_receipts")).toBe(20);
    for (const answer of held) answer();
    await appliance.untilAll("DELIVERED", 20);
    expect(appliance.count("unmatched_receipts")).toBe(0);
  });

  test("what they have shown survives a restart", async () => {
    const appliance = await started();
    await sent(appliance, 21);
    const say = (index: number) => appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    for (let index = 0; index < 12; index++) await say(index);
    const restart = async () => {
      await appliance.restart();
      await until(() => appliance.delivery().status()[0]?.connections[0]?.state === "BOUND");
    };
    await restart();
    for (let index = 12; index < 20; index++) await say(index);
    expect(statuses(appliance)).toEqual({ SENT: 1, DELIVERED: 20 });
    await restart();
    await say(20);
    expect(statuses(appliance)).toEqual({ DELIVERED: 21 });
  });

  test("count no more once one comes marked, and that is told once", async () => {
    const appliance = await started();
    await sent(appliance, 23);
    for (let index = 0; index < 20; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    await appliance.receipt("id-21", "DELIVRD", number(20));
    await appliance.receipt("id-22", "UNDELIV", number(21), UNMARKED);
    await appliance.receipt("id-23", "DELIVRD", number(22));
    expect(statuses(appliance)).toEqual({ DELIVERED: 22, SENT: 1 });
    expect(texts(appliance)).toHaveLength(1);
    const told = appliance.lines.filter(({ message }) => message.includes("with a mark and without"));
    expect(told).toHaveLength(1);
  });

  test("are settled a step at a time where more than a hundred waited", async () => {
    const appliance = await started();
    await sent(appliance, 20);
    for (let each = 0; each < 130; each++)
      await appliance.receipt(`later-${each}`, "DELIVRD", number(0), UNMARKED);
    for (let index = 0; index < 20; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    await sweep(appliance);
    expect(statuses(appliance)).toEqual({ DELIVERED: 20 });
    expect(appliance.count("unmatched_receipts")).toBe(130);
  });

  test("that nobody ever knew to be any become inbound texts after 72 hours, of the time when they came", async () => {
    const appliance = await started();
    await sent(appliance, 1);
    await appliance.receipt("id-1", "DELIVRD", number(0), UNMARKED);
    const cameMs = appliance.clock.nowMs();
    await appliance.clock.advance(72 * HOUR_MS);
    await sweep(appliance);
    expect(texts(appliance)).toEqual([]);
    await appliance.clock.advance(1);
    while (await expireUnknownOutcomes(appliance.store, config, appliance.clock.nowMs()));
    await sweep(appliance);
    expect(appliance.store.read.all("SELECT source, received_at FROM inbound_texts")).toEqual([
      { source: "22670000001", received_at: cameMs },
    ]);
    expect([appliance.count("unmatched_receipts"), appliance.count("unmatched_texts")]).toEqual([0, 0]);
  });
});

describe("unmarked_receipts", () => {
  test('"always" takes them from the first on', async () => {
    const appliance = await started("always");
    await sent(appliance, 1);
    await appliance.receipt("id-1", "DELIVRD", number(0), UNMARKED);
    expect(statuses(appliance)).toEqual({ DELIVERED: 1 });
  });

  test('"always" takes them beside marked ones', async () => {
    const appliance = await started("always");
    await sent(appliance, 2);
    await appliance.receipt("id-1", "DELIVRD", number(0));
    await appliance.receipt("id-2", "DELIVRD", number(1), UNMARKED);
    expect(statuses(appliance)).toEqual({ DELIVERED: 2 });
  });

  test('"never" takes none, however many come', async () => {
    const appliance = await started("never");
    await sent(appliance, 25);
    for (let index = 0; index < 25; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    expect(statuses(appliance)).toEqual({ SENT: 25 });
    expect(texts(appliance)).toHaveLength(25);
  });

  test.each([
    ["always", { DELIVERED: 3 }, 0],
    ["never", { SENT: 3 }, 3],
  ] as const)('that is set to "%s" settles what had waited', async (setting, expected, inbound) => {
    const appliance = await started();
    await sent(appliance, 3);
    for (let index = 0; index < 3; index++)
      await appliance.receipt(`id-${index + 1}`, "DELIVRD", number(index), UNMARKED);
    await appliance.store.write((tx) => rememberSettings(tx, new Map([[accountOf(appliance), setting]])));
    await sweep(appliance);
    expect(statuses(appliance)).toEqual(expected);
    expect(texts(appliance)).toHaveLength(inbound);
    expect(appliance.count("unmatched_receipts")).toBe(0);
  });
});
