import { describe, expect, test, vi } from "vitest";
import { type BatchRequest, readBatchRequest } from "../../../src/domain/submission/request.ts";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";

const LEAST = {
  sender: "ACME",
  body: "Bonjour",
  message_class: "OTP",
  recipients: [{ msisdn: "70123456" }],
};

function read(changes: Readonly<Record<string, unknown>>): BatchRequest {
  const outcome = readBatchRequest({ ...LEAST, ...changes });
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.value;
}

type Fault = readonly [path: string, message: Phrase];

function refusal(json: unknown): { code: string; faults: Fault[] } {
  const outcome = readBatchRequest(json);
  if (outcome.ok) throw new Error("was accepted");
  const { code, faults = [] } = outcome.refusal;
  return { code, faults: faults.map(({ path, message }) => [path, message]) };
}

const faultsOf = (changes: Readonly<Record<string, unknown>>) => refusal({ ...LEAST, ...changes }).faults;

describe("a submission body", () => {
  test("gets its defaults when only the required fields are there", () => {
    expect(read({})).toEqual({
      sender: "ACME",
      body: "Bonjour",
      messageClass: "OTP",
      channel: "SMS",
      template: null,
      recipients: [{ msisdn: "70123456", attributes: null }],
      scheduledAt: null,
      clientReference: null,
      timezone: null,
      textPolicy: null,
      missingAttributes: null,
      otherTags: [],
      isTest: false,
    });
  });

  test("keeps every field that is given", () => {
    const given = read({
      message_class: "MARKETING",
      channel: "WHATSAPP",
      recipients: [{ msisdn: "+22670123456", attributes: { a: "x", b: 1.5, c: true, d: null } }],
      scheduled_at: "2026-03-01T09:30",
      timezone: "Africa/Ouagadougou",
      is_test: true,
    });
    expect(given.messageClass).toBe("MARKETING");
    expect(given.channel).toBe("WHATSAPP");
    expect(given.recipients.slice(0, 1)[0]?.attributes).toEqual({ a: "x", b: 1.5, c: true, d: null });
    expect(given.scheduledAt).toBe("2026-03-01T09:30");
    expect(given.timezone).toBe("Africa/Ouagadougou");
    expect(given.isTest).toBe(true);
  });

  test("may have null for an optional field", () => {
    const given = read({ channel: null, scheduled_at: null, timezone: null, is_test: null });
    expect(given.channel).toBe("SMS");
    expect(given.scheduledAt).toBeNull();
  });

  test.each([[null], [[]], ["text"], [5], [true]])("must be an object, not %j", (json) => {
    expect(refusal(json)).toEqual({ code: "VALIDATION_FAILED", faults: [["", phrase("fault.json_object")]] });
  });

  test("names every required field that is missing", () => {
    expect(refusal({})).toEqual({
      code: "VALIDATION_FAILED",
      faults: [
        ["/sender", phrase("fault.required")],
        ["/body", phrase("fault.required")],
        ["/message_class", phrase("fault.required")],
        ["/recipients", phrase("fault.required")],
      ],
    });
  });

  test("looks for what was meant only in the fields whose fault is told", () => {
    const lowered = vi.spyOn(String.prototype, "toLowerCase");
    try {
      const unknown = Object.fromEntries(
        Array.from({ length: 1000 }, (_, index) => [`recipient${index}`, 1]),
      );
      expect(faultsOf(unknown)).toHaveLength(20);
      expect(lowered.mock.calls.length).toBeLessThan(1000);
    } finally {
      lowered.mockRestore();
    }
  });

  // Keeps: behaviour 3.24
  test("refuses an unknown field and names the one that was probably meant", () => {
    expect(faultsOf({ schedule_at: "2026-03-01" })).toEqual([
      ["/schedule_at", phrase("fault.unknown.near", { meant: "scheduled_at" })],
    ]);
    expect(faultsOf({ "a/b~c": 1 })).toEqual([["/a~1b~0c", phrase("fault.unknown")]]);
  });

  test.each([
    ["sender", 5, phrase("fault.string")],
    ["sender", " ", phrase("fault.blank")],
    ["body", null, phrase("fault.string")],
    ["message_class", "otp", phrase("fault.message_class")],
    ["channel", "EMAIL", phrase("fault.either", { one: "SMS", other: "WHATSAPP" })],
    ["scheduled_at", 5, phrase("fault.string")],
    ["timezone", "x".repeat(65), phrase("fault.too_long", { most: 64 })],
    ["is_test", "true", phrase("fault.boolean")],
    ["recipients", {}, phrase("fault.array")],
    ["recipients", new Array(100_001).fill({ msisdn: "1" }), phrase("fault.recipients", { most: 100_000 })],
    ["body", "a\u0000", phrase("fault.unsendable")],
    ["body", "a\ud800", phrase("fault.unsendable")],
  ])("refuses %s when it is wrong", (field, value, message) => {
    expect(faultsOf({ [field]: value })).toEqual([[`/${field}`, message]]);
  });

  test("counts lengths in code points", () => {
    expect(read({ sender: "😀".repeat(32) }).sender.length).toBe(64);
    expect(faultsOf({ sender: "😀".repeat(33) })).toEqual([
      ["/sender", phrase("fault.too_long", { most: 32 })],
    ]);
    expect(read({ body: "a".repeat(4000) }).body.length).toBe(4000);
    expect(faultsOf({ body: "a".repeat(4001) })).toEqual([
      ["/body", phrase("fault.too_long", { most: 4000 })],
    ]);
  });

  test("without recipients is BATCH_EMPTY when nothing else is wrong", () => {
    expect(refusal({ ...LEAST, recipients: [] }).code).toBe("BATCH_EMPTY");
    expect(refusal({ ...LEAST, recipients: [], sender: 5 }).code).toBe("VALIDATION_FAILED");
  });

  test.each([[""], [" \n\t"], ["\u00a0\u2003"]])("with the blank body %j is BATCH_BODY_EMPTY", (body) => {
    expect(refusal({ ...LEAST, body }).code).toBe("BATCH_BODY_EMPTY");
  });
});

describe("a recipient", () => {
  const faultsOfOne = (recipient: unknown) => faultsOf({ recipients: [{ msisdn: "1" }, recipient] });

  // Keeps: behaviour 4.27
  test.each([
    ["70123456", ["/recipients/1", phrase("fault.recipient")]],
    [null, ["/recipients/1", phrase("fault.recipient")]],
    [[], ["/recipients/1", phrase("fault.recipient")]],
    [{}, ["/recipients/1/msisdn", phrase("fault.required")]],
    [{ msisdn: 70_123_456 }, ["/recipients/1/msisdn", phrase("fault.string")]],
    [{ msisdn: "1".repeat(33) }, ["/recipients/1/msisdn", phrase("fault.too_long", { most: 32 })]],
    [{ msisdn: "1", attributes: [] }, ["/recipients/1/attributes", phrase("fault.object")]],
    [{ msisdn: "1", attributes: { "a/b": {} } }, ["/recipients/1/attributes/a~1b", phrase("fault.value")]],
    [
      { msisdn: "1", attributes: { a: "\udfff" } },
      ["/recipients/1/attributes/a", phrase("fault.unsendable")],
    ],
  ])("such as %j is refused", (recipient, fault) => {
    expect(faultsOfOne(recipient)).toEqual([fault]);
  });

  test("may have an msisdn that no parser understands: that becomes a rejection", () => {
    expect(read({ recipients: [{ msisdn: "" }, { msisdn: "x\u0000" }] }).recipients.length).toBe(2);
  });

  // Keeps: behaviour 3.25
  test("may have fields that nobody knows", () => {
    expect(read({ recipients: [{ msisdn: "1", name: {} }] }).recipients).toEqual([
      { msisdn: "1", attributes: null },
    ]);
  });

  test("is read no further once as many faults are found as are told", () => {
    let looks = 0;
    const attributes = new Proxy({} as Record<string, unknown>, {
      ownKeys: () => Array.from({ length: 1000 }, (_, index) => `a${index}`),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true, value: [] }),
      get: () => {
        looks += 1;
        return [];
      },
    });
    expect(faultsOfOne({ msisdn: "1", attributes })).toHaveLength(20);
    expect(looks).toBe(20);
  });

  test("can't have a number that would reach the handset with other digits", () => {
    const attributes: unknown = JSON.parse('{"a":12345678901234567890,"b":1e999,"c":9007199254740991}');
    expect(faultsOfOne({ msisdn: "1", attributes })).toEqual([
      ["/recipients/1/attributes/a", phrase("fault.inexact")],
      ["/recipients/1/attributes/b", phrase("fault.inexact")],
    ]);
  });

  test("may have attributes with the names of built-in properties", () => {
    const recipients: unknown = JSON.parse(
      '[{"msisdn":"1","attributes":{"__proto__":"x","constructor":{}}}]',
    );
    expect(faultsOf({ recipients })).toEqual([
      ["/recipients/0/attributes/constructor", phrase("fault.value")],
    ]);
  });
});

// Keeps: behaviour 3.36
test("at most 20 faults are named, also of 100,000 wrong recipients", () => {
  expect(faultsOf({ recipients: new Array(100_000).fill(5) }).length).toBe(20);
});

test("the detail of a refusal is its first fault in words", () => {
  const outcome = readBatchRequest({ ...LEAST, recipients: new Array(100_001).fill({ msisdn: "1" }) });
  expect(!outcome.ok && english(outcome.refusal.detail)).toBe("recipients must hold 1 to 100000 items");
});

// A suggestion for each would take longer than a test may.
test("a million unknown fields are refused with the first twenty", () => {
  const fields = Object.fromEntries(Array.from({ length: 1_000_000 }, (_, index) => [`field${index}`, 1]));
  const outcome = readBatchRequest(fields);
  expect(outcome.ok ? [] : outcome.refusal.faults).toHaveLength(20);
});
