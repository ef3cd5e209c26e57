import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { changeAccount } from "../../src/domain/accounts/accounts.ts";
import {
  getFrom,
  type HttpFixture,
  httpFixture,
  problemOf,
  submission,
  submitTo,
  type Tenant,
  verdict,
} from "../ingress/api/fixture.ts";

let fixture: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  fixture = await httpFixture();
  tenant = await fixture.tenant();
});
afterAll(() => fixture.close());

let keys = 0;
const send = (changes: Record<string, unknown> = {}, who = tenant) => {
  keys += 1;
  return submitTo(fixture, who, `submission-${keys}`, submission({ body: `Text ${keys}`, ...changes }));
};

type Accepted = {
  readonly batch_id: string;
  readonly status: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly rejections: readonly { index: number; msisdn: string | null; reason_code: string }[];
  readonly reserved_amount: number;
  readonly total_segments: number;
};

async function accepted(response: Response): Promise<Accepted> {
  expect(response.status).toBe(202);
  return ((await response.json()) as { data: Accepted }).data;
}

async function fetched(batchId: string): Promise<Record<string, unknown>> {
  const response = await getFrom(fixture, tenant, `/batches/${batchId}`);
  return ((await response.json()) as { data: Record<string, unknown> }).data;
}

/** The texts of a batch's messages, in order of submission. */
const textsOf = (batchId: string) =>
  fixture.store.read
    .all<{ text: string }>(
      `SELECT coalesce(m.text, b.body) AS text FROM messages m JOIN batches b ON b.id = m.batch_id
       WHERE b.ulid = ? ORDER BY m.position`,
      batchId,
    )
    .map(({ text }) => text);

const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ msisdn: String(70_000_000 + index) }));

describe("a field of the submission", () => {
  // Keeps: public-api 1.2, 2.1.10, 2.1.21
  test("may be left out when it is not required, and has its default then", async () => {
    const least = {
      sender: "ACME",
      body: "Least",
      message_class: "OTP",
      recipients: [{ msisdn: "70123456" }],
    };
    const { batch_id } = await accepted(await submitTo(fixture, tenant, "least", least));
    expect(await fetched(batch_id)).toMatchObject({
      sender: "ACME",
      message_class: "OTP",
      channel: "SMS",
      is_test: false,
      scheduled_at: null,
    });
  });

  // Keeps: public-api 2.1.1, 2.1.3, 2.1.5, 2.1.11
  test.each([["sender"], ["body"], ["message_class"], ["recipients"]])("%s is required", async (name) => {
    const problem = await problemOf(await send({ [name]: undefined }));
    expect(problem.errors).toEqual([{ path: `/${name}`, message: "is required" }]);
  });

  // Keeps: public-api 2.1.12
  test("msisdn is required of every recipient, and a string", async () => {
    const recipients = [{ msisdn: "70123456" }, {}, { msisdn: 70_123_456 }, { msisdn: null }];
    const { errors } = await problemOf(await send({ recipients }));
    expect(errors?.map(({ path }) => path)).toEqual([1, 2, 3].map((index) => `/recipients/${index}/msisdn`));
  });

  // Keeps: public-api 2.1.1, 2.1.3, 2.1.5, 2.1.10, 2.1.11, 2.1.15, 2.1.17, 2.1.18, 2.1.21
  test.each([
    ["sender", 5],
    ["body", ["x"]],
    ["message_class", 1],
    ["channel", true],
    ["recipients", "70123456"],
    ["recipients", [{ msisdn: "70123456", attributes: "x" }]],
    ["scheduled_at", 1_772_442_000],
    ["timezone", 0],
    ["is_test", "false"],
    ["is_test", 0],
  ])("%s of another type is refused", async (name, value) => {
    expect(await verdict(await send({ [name]: value }))).toBe("422 VALIDATION_FAILED");
  });

  // Keeps: public-api 2.1.5
  test("message_class is one of three words, written exactly so", async () => {
    for (const message_class of ["TRANSACTIONAL", "MARKETING", "OTP"])
      await accepted(await send({ message_class }));
    for (const message_class of ["otp", "Marketing", "PROMO", "", null])
      expect(await verdict(await send({ message_class }))).toBe("422 VALIDATION_FAILED");
  });

  // Keeps: public-api 2.1.10
  test("channel is SMS or WHATSAPP", async () => {
    const { batch_id } = await accepted(await send({ channel: "SMS" }));
    expect((await fetched(batch_id)).channel).toBe("SMS");
    expect(await verdict(await send({ channel: "sms" }))).toBe("422 VALIDATION_FAILED");
    expect(await verdict(await send({ channel: "WHATSAPP" }))).toBe("500 CONFIGURATION_ERROR");
  });
});

describe("a limit is met to the character", () => {
  const limited = async (changes: Record<string, unknown>, path: string, most: number) => {
    const problem = await problemOf(await send(changes));
    expect([problem.status, problem.code]).toEqual([422, "VALIDATION_FAILED"]);
    expect(problem.errors).toEqual([{ path, message: `must have at most ${most} characters` }]);
  };

  // Keeps: public-api 8.5, 2.1.1
  test("sender: 32", async () => {
    for (const letter of ["S", "É", "😀"]) {
      const sender = letter.repeat(32);
      await fixture.store.write((tx) => {
        tx.run(
          "INSERT INTO senders (account_id, name, status, created_at) VALUES (?, ?, 'APPROVED', 0)",
          tenant.accountId,
          sender,
        );
      });
      await accepted(await send({ sender }));
      await limited({ sender: letter.repeat(33) }, "/sender", 32);
    }
  });

  // Keeps: public-api 8.6, 2.1.3
  test("body: 4000", async () => {
    for (const letter of ["b", "é", "😀"]) {
      await accepted(await send({ body: letter.repeat(4000) }));
      await limited({ body: letter.repeat(4001) }, "/body", 4000);
    }
  });

  // Keeps: public-api 8.7, 2.1.12, 2.1.14
  test("msisdn: 32, and what can't be parsed is a rejection", async () => {
    const { rejections } = await accepted(await send({ recipients: [{ msisdn: "7".repeat(32) }] }));
    expect(rejections).toEqual([{ index: 0, msisdn: null, reason_code: "INVALID_MSISDN" }]);
    await limited({ recipients: [{ msisdn: "7".repeat(33) }] }, "/recipients/0/msisdn", 32);
    const spaced = "70 12 34 56".padEnd(32, " ");
    expect((await accepted(await send({ recipients: [{ msisdn: spaced }] }))).accepted).toBe(1);
  });

  // Keeps: public-api 8.8, 2.1.18
  test("timezone: 64", async () => {
    const scheduled_at = "2026-03-03T09:00:00";
    const response = await send({ scheduled_at, timezone: "x".repeat(64) });
    expect(await verdict(response)).toBe("422 SCHEDULE_INVALID");
    await limited({ scheduled_at, timezone: "x".repeat(65) }, "/timezone", 64);
  });

  // Keeps: public-api 8.9, 4.1.2
  test("Idempotency-Key: 255", async () => {
    const keyed = (length: number) =>
      submitTo(fixture, tenant, "i".repeat(length), submission({ body: `Key of ${length}` }));
    expect([(await keyed(255)).status, (await keyed(1)).status]).toEqual([202, 202]);
    expect(await verdict(await keyed(256))).toBe("422 VALIDATION_FAILED");
  });

  // Keeps: public-api 8.1, 2.1.11
  test("recipients: 1 to 100000", async () => {
    expect(await verdict(await send({ recipients: [] }))).toBe("422 BATCH_EMPTY");
    expect((await accepted(await send({ recipients: numbers(1) }))).accepted).toBe(1);
    expect((await accepted(await send({ recipients: numbers(100_000) }))).status).toBe("VALIDATING");
    const problem = await problemOf(await send({ recipients: numbers(100_001) }));
    expect(problem).toMatchObject({ status: 422, code: "VALIDATION_FAILED" });
    expect(problem.errors).toEqual([{ path: "/recipients", message: "must hold 1 to 100000 items" }]);
  });
});

describe("a text", () => {
  // Keeps: public-api 2.1.4, 2.1.15, 2.1.16
  test("gets each recipient's attributes in its tags, and nothing where there is none", async () => {
    const recipients = [
      { msisdn: "70123456", attributes: { nom: "Awa", solde: 1500, vip: true } },
      { msisdn: "70123457", attributes: { nom: "Issa" } },
      { msisdn: "70123458", attributes: {} },
      { msisdn: "70123459", attributes: { solde: null } },
      { msisdn: "70123460" },
    ];
    const { batch_id } = await accepted(await send({ body: "{nom}: {solde}, {vip}.", recipients }));
    expect(textsOf(batch_id)).toEqual(["Awa: 1500, true.", "Issa: , .", ": , .", ": , .", ": , ."]);
  });

  // Keeps: public-api 2.2.8, 2.2.6, 1.11
  test("is counted and priced in segments, per recipient", async () => {
    const recipients = [
      { msisdn: "70123456", attributes: { x: "a".repeat(160) } },
      { msisdn: "70123457", attributes: { x: "a".repeat(161) } },
      { msisdn: "70123458", attributes: { x: "ç".repeat(70) } },
      { msisdn: "70123459", attributes: { x: "ç".repeat(71) } },
    ];
    const batch = await accepted(await send({ body: "{x}", recipients }));
    expect(batch).toMatchObject({ accepted: 4, total_segments: 6, reserved_amount: 6 * 15 });
  });
});

describe("a schedule", () => {
  const scheduled = async (changes: Record<string, unknown>) =>
    fetched((await accepted(await send({ recipients: numbers(1), ...changes }))).batch_id);

  // Keeps: public-api 2.1.17, 2.2.15, 2.2.16, 3.1.3
  test("is kept as an instant and shown with the offset of the batch's timezone", async () => {
    const batch = await scheduled({ scheduled_at: "2026-07-01T10:00:00+02:00", timezone: "Europe/Paris" });
    expect(batch).toMatchObject({
      status: "SCHEDULED",
      scheduled_at: "2026-07-01T10:00:00+02:00",
      created_at: "2026-03-02T10:00:00+01:00",
    });
  });

  // Keeps: public-api 2.1.18, 2.1.19
  test("without an offset is local time, in the timezone named, else the account's", async () => {
    const lagos = await scheduled({ scheduled_at: "2026-03-03T09:30:00", timezone: "Africa/Lagos" });
    expect(lagos.scheduled_at).toBe("2026-03-03T09:30:00+01:00");
    const own = await scheduled({ scheduled_at: "2026-03-03T09:30:00" });
    expect(own.scheduled_at).toBe("2026-03-03T09:30:00+00:00");
    await fixture.store.write((tx) => changeAccount(tx, tenant.accountId, { timezone: "Asia/Kolkata" }));
    const moved = await scheduled({ scheduled_at: "2026-03-03T09:30:00" });
    expect(moved.scheduled_at).toBe("2026-03-03T09:30:00+05:30");
    await fixture.store.write((tx) =>
      changeAccount(tx, tenant.accountId, { timezone: "Africa/Ouagadougou" }),
    );
  });

  // Keeps: public-api 2.1.20
  test("is not made by a timezone alone", async () => {
    const batch = await scheduled({ timezone: "Asia/Tokyo" });
    expect(batch).toMatchObject({ status: "QUEUED", scheduled_at: null });
  });

  // Keeps: public-api 2.1.17
  test("of a second ahead is in the future", async () => {
    expect((await scheduled({ scheduled_at: "2026-03-02T09:00:01Z" })).status).toBe("SCHEDULED");
  });
});

describe("an accepted submission", () => {
  const recipients = [{ msisdn: "70123456" }, { msisdn: "nobody" }, { msisdn: "70 12 34 56" }];

  // Keeps: public-api 4.1.4, 2.2.1, 2.2.2, 2.2.3, 2.2.4, 2.2.5, 2.2.7, 1.5
  test("answers 202 with the submission form and nothing else", async () => {
    const response = await send({ recipients });
    expect(response.status).toBe(202);
    const body = (await response.json()) as { data: Accepted };
    expect(body).toEqual({
      data: {
        batch_id: expect.stringMatching(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/),
        status: "QUEUED",
        accepted: 1,
        rejected: 2,
        rejections: [
          { index: 1, msisdn: null, reason_code: "INVALID_MSISDN" },
          { index: 2, msisdn: "+22670123456", reason_code: "DUPLICATE_IN_BATCH" },
        ],
        reserved_amount: 15,
        currency: "XOF",
        total_segments: 1,
        is_sandbox: false,
        warnings: [],
      },
    } as never);
  });

  // Keeps: public-api 1.3, 1.4, 4.1.5, 1.7, 3.1.4
  test("has reserved the money of the accepted and queued them alone, none delivered yet", async () => {
    const client = await fixture.tenant();
    const response = await send({ recipients: [...recipients, { msisdn: "+226 70 12 34 57" }] }, client);
    const batch = await accepted(response);
    expect([batch.accepted, batch.rejected, batch.rejections.length]).toEqual([2, 2, 2]);
    const balance = await (await getFrom(fixture, client, "/account/balance")).json();
    expect(balance).toMatchObject({ data: { balance: 1_000_000, reserved: 30, spendable: 999_970 } });
    const feed = await getFrom(fixture, client, "/messages?status_changed_since=2026-03-02T08:00:00Z");
    expect(await feed.json()).toMatchObject({
      data: {
        messages: [
          { msisdn: "+22670123456", status: "QUEUED", reserved_amount: 15, delivered_at: null },
          { msisdn: "+22670123457", status: "QUEUED", reserved_amount: 15, delivered_at: null },
        ],
      },
    });
  });

  // Keeps: public-api 1.6, 7.31, 2.2.14
  test("is a 202 however many recipients were filtered, with every one of them in both answers", async () => {
    const many = [{ msisdn: "70123456" }, ...Array.from({ length: 1200 }, () => ({ msisdn: "1" }))];
    const batch = await accepted(await send({ recipients: many }));
    expect([batch.accepted, batch.rejected, batch.rejections.length]).toEqual([1, 1200, 1200]);
    expect((await fetched(batch.batch_id)).rejections).toEqual(batch.rejections);
  });

  // Keeps: public-api 3.1.13, 3.1.8, 7.31
  test("of which every recipient is filtered is REJECTED, and reserves nothing", async () => {
    const client = await fixture.tenant();
    const batch = await accepted(
      await send({ recipients: [{ msisdn: "x" }, { msisdn: "25300000" }] }, client),
    );
    expect(batch).toMatchObject({
      status: "REJECTED",
      accepted: 0,
      rejected: 2,
      reserved_amount: 0,
      total_segments: 0,
    });
    const balance = await (await getFrom(fixture, client, "/account/balance")).json();
    expect(balance).toMatchObject({ data: { reserved: 0, spendable: 1_000_000 } });
  });

  // Keeps: public-api 4.1.6, 4.1.3
  test("is replayed to the same key byte for byte, and to no other key", async () => {
    const body = submission({ body: "Once", recipients });
    const first = await submitTo(fixture, tenant, "replay", body);
    const text = await first.text();
    await fixture.clock.advance(3_600_000);
    const again = await submitTo(fixture, tenant, "replay", body);
    expect([again.status, again.headers.get("content-type"), await again.text()]).toEqual([
      202,
      "application/json",
      text,
    ]);
    const second = await fixture.key(tenant.accountId, ["MESSAGES_SEND"]);
    const other = await accepted(await submitTo(fixture, second, "replay", { ...body, body: "Twice" }));
    expect(text).not.toContain(other.batch_id);
  });
});

describe("a batch", () => {
  // Keeps: public-api 2.2.9, 8.2, 3.1.2
  test("of 10000 recipients is validated before its answer, of 10001 after it", async () => {
    const client = await fixture.tenant();
    const small = await accepted(await send({ recipients: numbers(10_000) }, client));
    expect(small).toMatchObject({ status: "QUEUED", accepted: 10_000, reserved_amount: 150_000 });
    const large = await accepted(await send({ recipients: numbers(10_001) }, client));
    expect(large.status).toBe("VALIDATING");
  });

  // Keeps: public-api 2.2.10, 3.1.1
  test("that is validated after its answer is answered with zeros, and has taken no money", async () => {
    const client = await fixture.tenant();
    const response = await send({ recipients: numbers(10_001) }, client);
    expect(response.status).toBe(202);
    expect(await response.json()).toEqual({
      data: {
        batch_id: expect.any(String),
        status: "VALIDATING",
        accepted: 0,
        rejected: 0,
        rejections: [],
        reserved_amount: 0,
        currency: "XOF",
        total_segments: 0,
        is_sandbox: false,
        warnings: [],
      },
    } as never);
    const balance = await (await getFrom(fixture, client, "/account/balance")).json();
    expect(balance).toMatchObject({ data: { reserved: 0 } });
  });
});
