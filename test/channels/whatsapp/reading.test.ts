import { describe, expect, test } from "vitest";
import {
  decodeOpaque,
  encodeOpaque,
  readAnswer,
  renderPostBody,
} from "../../../src/channels/whatsapp/cloud-api.ts";
import { parseChanges, parseStatuses } from "../../../src/channels/whatsapp/post-facts.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

const end = (status: number | null, answer: unknown, more: object = {}) => ({
  status,
  retryAfter: null,
  error: status === 200 ? null : phrase("network.failed"),
  answer: typeof answer === "string" ? answer : JSON.stringify(answer),
  ...more,
});

describe("the answer to a post", () => {
  test.each([
    [
      end(200, {
        contacts: [{ input: "22670000001", wa_id: "22670000001" }],
        messages: [{ id: "wamid.1", message_status: "accepted" }],
      }),
      { kind: "accepted", wamid: "wamid.1", isHeld: false, waId: "22670000001" },
    ],
    [
      end(200, { contacts: [{ input: "22670000001" }], messages: [{ id: "wamid.1" }] }),
      { kind: "accepted", wamid: "wamid.1", isHeld: false, waId: null },
    ],
    [
      end(200, { messages: [{ id: "w", message_status: "held_for_quality_assessment" }] }),
      { kind: "accepted", wamid: "w", isHeld: true, waId: null },
    ],
    [end(400, { error: { code: 131009, message: "x" } }), { kind: "refused", code: 131009, httpStatus: 400 }],
    [end(400, { error: { code: 100, error_subcode: 33 } }), { kind: "refused", code: 33, httpStatus: 400 }],
    [
      end(400, { error: { code: 100, error_subcode: 2018001 } }),
      { kind: "refused", code: 100, httpStatus: 400 },
    ],
    [end(401, { error: { code: 190, error_subcode: 463 } }), { kind: "refused", code: 190, httpStatus: 401 }],
    [end(503, "<html>"), { kind: "refused", code: null, httpStatus: 503 }],
    [end(400, { error: { code: "131009" } }), { kind: "refused", code: null, httpStatus: 400 }],
    [
      end(200, '{"messages":[{"id":"wam'),
      { kind: "unanswered", error: phrase("link.unreadable_post_answer") },
    ],
    [end(200, { messages: [] }), { kind: "unanswered", error: phrase("link.unreadable_post_answer") }],
    [
      end(null, "", { error: phrase("network.late", { seconds: 20 }) }),
      { kind: "unanswered", error: phrase("network.late", { seconds: 20 }) },
    ],
    [
      end(null, "", { error: phrase("network.refused"), isUnsent: true as const }),
      { kind: "not_read", error: phrase("network.refused") },
    ],
  ])("%j", (ended, answer) => {
    expect(readAnswer(ended)).toEqual(answer as never);
  });
});

describe("what is posted", () => {
  const ULID = "01J0000000000000000000000A";

  test("names of parameters stand with their values where the template has names, and a code at its button too", () => {
    const values = [{ name: "nom", text: "Awa" }];
    const named = { kind: "template", name: "t", language: "fr", values, copiedCode: null } as const;
    expect(JSON.parse(renderPostBody("+22670000001", named, encodeOpaque(ULID, 2)))).toEqual({
      messaging_product: "whatsapp",
      recipient_type: "individual",
      to: "22670000001",
      type: "template",
      template: {
        name: "t",
        language: { code: "fr", policy: "deterministic" },
        components: [{ type: "body", parameters: [{ type: "text", parameter_name: "nom", text: "Awa" }] }],
      },
      biz_opaque_callback_data: `${ULID}.2`,
    });
    const code = { ...named, values: [{ name: null, text: "123456" }], copiedCode: "123456" };
    expect(JSON.parse(renderPostBody("1", code, "x")).template.components).toEqual([
      { type: "body", parameters: [{ type: "text", text: "123456" }] },
      { type: "button", sub_type: "url", index: "0", parameters: [{ type: "text", text: "123456" }] },
    ]);
    expect(JSON.parse(renderPostBody("1", { ...named, values: [] }, "x")).template).not.toHaveProperty(
      "components",
    );
  });

  test("free text says what it is billed as, and how long it is worth delivering", () => {
    const direct = { kind: "direct", text: "Bonjour", category: "utility", ttlSeconds: 60 } as const;
    expect(JSON.parse(renderPostBody("1", direct, "x"))).toMatchObject({
      type: "text",
      text: { body: "Bonjour" },
      category: "utility",
      ttl_seconds: 60,
    });
  });

  test("what comes back with a status is read, and nothing else is taken for it", () => {
    expect(decodeOpaque(encodeOpaque(ULID, 12))).toEqual({ messageUlid: ULID, n: 12 });
    for (const other of ["", ULID, `${ULID}.0`, `${ULID}.1x`, `${ULID.toLowerCase()}.1`, `${ULID}.1.2`]) {
      expect(decodeOpaque(other)).toBeNull();
    }
  });
});

describe("a call of the webhook", () => {
  const call = (statuses: unknown) => ({
    object: "whatsapp_business_account",
    entry: [{ id: "7", changes: [{ field: "messages", value: { statuses } }] }],
  });

  test("brings statuses with all that decides", () => {
    const pricing = { billable: false, category: "utility" };
    const [change] = parseChanges(
      call([
        { id: "w", status: "read", timestamp: "1700000000", biz_opaque_callback_data: "x", pricing },
        { id: "w", status: "failed", errors: [{ code: 131026 }], recipient_user_id: "BF.7" },
        { id: "w", status: "failed", errors: [{ code: 100, error_subcode: 33 }], recipient_id: "2260000001" },
        ...[null, "", true, {}].map((code) => ({ id: "w", status: "failed", errors: [{ code }] })),
        { id: "w", status: "warning" },
        { status: "sent" },
        null,
      ]),
    )!;
    expect(parseStatuses(change!)).toEqual({
      unknown: 3,
      statuses: [
        {
          wamid: "w",
          status: "read",
          atMs: 1_700_000_000_000,
          opaque: "x",
          code: null,
          isBillable: false,
          category: "utility",
          userId: null,
          waId: null,
        },
        {
          wamid: "w",
          status: "failed",
          atMs: null,
          opaque: null,
          code: 131026,
          isBillable: true,
          category: null,
          userId: "BF.7",
          waId: null,
        },
        {
          wamid: "w",
          status: "failed",
          atMs: null,
          opaque: null,
          code: 33,
          isBillable: true,
          category: null,
          userId: null,
          waId: "2260000001",
        },
        // What is no code is none, and not 0, which stops the number.
        ...Array.from({ length: 4 }, () => ({
          wamid: "w",
          status: "failed",
          atMs: null,
          opaque: null,
          code: null,
          isBillable: true,
          category: null,
          userId: null,
          waId: null,
        })),
      ],
    });
  });

  test.each([
    [null],
    [[]],
    [{}],
    [{ object: "page", entry: [] }],
    [{ object: "whatsapp_business_account" }],
    ["x"],
  ])("%j is none", (body) => {
    expect(parseChanges(body)).toBeNull();
  });

  test.each([[[]], [[null]], [[{ changes: 1 }]], [[{ changes: [1, { field: 2 }] }]]])(
    "%j says nothing",
    (entry) => {
      expect(parseChanges({ object: "whatsapp_business_account", entry })).toEqual([]);
    },
  );
});

test("a time and a code are those that Meta tells in digits, and nothing that only looks like a number", () => {
  const read = (told: object) =>
    parseStatuses({ value: { statuses: [{ id: "w", status: "failed", ...told }] } }).statuses[0];
  expect(read({ timestamp: "1772442000", errors: [{ code: 131026 }] })).toMatchObject({
    atMs: 1_772_442_000_000,
    code: 131_026,
  });
  for (const timestamp of ["", " ", "0x10", "1e9", "1.5", "-1", true, ["1772442000"], null]) {
    expect(read({ timestamp })?.atMs).toBeNull();
  }
  for (const code of ["", " ", null, true, [131_026], "0x1", 1.5, {}]) {
    expect(read({ errors: [{ code }] })?.code).toBeNull();
  }
});
