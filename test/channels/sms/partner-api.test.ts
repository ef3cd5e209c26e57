import { describe, expect, test } from "vitest";
import { classifyResponse } from "../../../src/channels/sms/attempt-result.ts";
import { readFeedPage, readPostOutcome, renderPost } from "../../../src/channels/sms/partner-api.ts";
import {
  answerCode,
  codeForClients,
  errorOfReason,
  PARTNER_TAKEN,
  parseAnswerCode,
  reasonName,
  reasonNumber,
} from "../../../src/channels/sms/partner-reasons.ts";
import { phrase } from "../../../src/i18n/phrase.ts";

const answered = (status: number, body: unknown = {}) =>
  readPostOutcome({ status, retryAfter: null, error: null, answer: JSON.stringify(body) });
const NONE: ReadonlyMap<number, "retry" | "pause" | "fail"> = new Map();

describe("the answer to a post", () => {
  test("is taken where its recipient was accepted", () => {
    expect(answered(202, { data: { batch_id: "x", accepted: 1, rejections: [] } })).toEqual({
      kind: "taken",
    });
  });

  test("is a refusal where its recipient was rejected", () => {
    const rejections = [{ index: 0, msisdn: null, reason_code: "SUPPRESSED" }];
    expect(answered(202, { data: { batch_id: "x", accepted: 0, rejections } })).toEqual({
      kind: "refused",
      reason: "SUPPRESSED",
    });
  });

  test.each([
    [401, "UNAUTHORIZED", "away"],
    [402, "WALLET_IN_DEBIT", "away"],
    [403, "ACCOUNT_SUSPENDED", "away"],
    [409, "REQUEST_IN_PROGRESS", "running"],
    [409, "IDEMPOTENCY_KEY_REUSED", "refused"],
    [422, "SENDER_NOT_APPROVED", "refused"],
    [422, "TOO_MANY_HOPS", "refused"],
    [404, "NOT_FOUND", "refused"],
    [302, "REDIRECTED", "refused"],
    [429, "RATE_LIMITED", "later"],
    [503, "STORAGE_FULL", "later"],
    [500, "INTERNAL_ERROR", "unanswered"],
    [502, "", "unanswered"],
    [200, "", "unanswered"],
  ] as const)("%d %s is %s", (status, code, kind) => {
    const outcome = answered(status, { code });
    expect(outcome.kind).toBe(kind);
    if ("reason" in outcome) expect(outcome.reason).toBe(code);
  });

  test("without a word of the API is told by its status", () => {
    const bare = (status: number) =>
      readPostOutcome({ status, retryAfter: null, error: null, answer: "<html>" });
    expect(bare(401)).toEqual({ kind: "away", reason: "UNAUTHORIZED" });
    expect(bare(413)).toEqual({ kind: "refused", reason: "OTHER" });
    expect(bare(202).kind).toBe("unanswered");
  });

  test.each([401, 402, 403, 503])("%d with a code of another version ends no message", (status) => {
    const outcome = answered(status, { code: "OF_A_NEWER_VERSION" });
    const reason = "reason" in outcome ? outcome.reason : "";
    expect(classifyResponse(reasonNumber(reason), null, NONE).kind).toBe("retry");
  });

  test("that never came is another thing than a post that never left", () => {
    const error = phrase("network.closed");
    expect(readPostOutcome({ status: null, retryAfter: null, error }).kind).toBe("unanswered");
    expect(readPostOutcome({ status: null, retryAfter: null, error, isUnsent: true }).kind).toBe("unsent");
  });
});

describe("a reason", () => {
  test("is a number above every command_status, and back", () => {
    expect(reasonNumber("SENDER_NOT_APPROVED")).toBeGreaterThan(0xffff_ffff);
    expect(reasonName(reasonNumber("SENDER_NOT_APPROVED"))).toBe("SENDER_NOT_APPROVED");
    expect(reasonName(reasonNumber("OF_A_NEWER_VERSION"))).toBe("OTHER");
    expect(reasonName(0x45)).toBeNull();
    expect(reasonName(PARTNER_TAKEN)).toBeNull();
    for (const code of ["0x45", "0x0A", "SUPPRESSED"]) expect(answerCode(parseAnswerCode(code))).toBe(code);
  });

  test("stays where it is in rows", () => {
    expect(reasonNumber("OTHER") - PARTNER_TAKEN).toBe(1);
    expect(reasonNumber("SENDER_NOT_APPROVED") - PARTNER_TAKEN).toBe(23);
    expect(reasonNumber("RESTORE_GIVEN_UP") - PARTNER_TAKEN).toBe(50);
  });

  test("decides as a command_status does, and clients read none", () => {
    expect(classifyResponse(PARTNER_TAKEN, null, NONE)).toEqual({ kind: "taken" });
    expect(classifyResponse(reasonNumber("RATE_LIMITED"), null, NONE).kind).toBe("retry");
    expect(classifyResponse(reasonNumber("INSUFFICIENT_FUNDS"), null, NONE).kind).toBe("retry");
    expect(classifyResponse(reasonNumber("SUPPRESSED"), null, NONE)).toEqual({
      kind: "refused",
      error: { code: "OPERATOR_REJECTED", operatorCode: "SUPPRESSED" },
    });
    expect(codeForClients("SUPPRESSED")).toBeNull();
    expect(codeForClients("0x45")).toBe("0x45");
    expect(errorOfReason("SENDER_NOT_APPROVED")).toBe("SENDER_NOT_REGISTERED");
    expect(errorOfReason("UNROUTABLE_PREFIX")).toBe("INVALID_DESTINATION");
  });
});

test("the text of a post is a value: braces in it are no tags", () => {
  const post = {
    key: "k",
    hops: 1,
    sender: "ACME",
    msisdn: "+22670123456",
    messageClass: "OTP",
    text: "{nom} {{x}",
  } as const;
  expect(JSON.parse(renderPost(post))).toEqual({
    sender: "ACME",
    body: "{texte}",
    message_class: "OTP",
    text_policy: "as_is",
    recipients: [{ msisdn: "+22670123456", client_reference: "k", attributes: { texte: "{nom} {{x}" } }],
  });
  expect(renderPost(post)).toBe(renderPost({ ...post }));
});

describe("a page of the feed", () => {
  const item = (changes: object) => ({
    message_id: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
    client_reference: "k-1",
    status: "SENT",
    is_final: false,
    error: null,
    sent_at: "2026-03-01T09:30:00Z",
    status_changed_at: "2026-03-01T09:30:00.000001Z",
    ...changes,
  });
  const page = (...messages: object[]) =>
    readFeedPage(JSON.stringify({ data: { messages, next_status_changed_since: "n", has_more: true } }));

  test.each([
    [{ status: "QUEUED", sent_at: null }, { kind: "waiting" }],
    [{ status: "SUBMITTED", sent_at: null }, { kind: "waiting" }],
    [{}, { kind: "sent", isFinal: false }],
    [{ is_final: true }, { kind: "sent", isFinal: true }],
    [
      { is_final: true, error: { code: "RECEIPT_NOT_RECEIVED" } },
      { kind: "sent", isFinal: false },
    ],
    [{ status: "DELIVERED" }, { kind: "delivered" }],
    [
      { status: "FAILED", error: { code: "ABSENT_SUBSCRIBER" } },
      { kind: "failed", error: "ABSENT_SUBSCRIBER" },
    ],
    [
      { status: "FAILED", error: { code: "OF_A_NEWER_VERSION" } },
      { kind: "failed", error: "UNDELIVERABLE" },
    ],
    [
      { status: "FAILED", sent_at: null, error: { code: "NO_ROUTE" } },
      { kind: "given_up", reason: "NO_ROUTE", isUnknown: false },
    ],
    [
      { status: "FAILED", sent_at: null, error: { code: "SUBMIT_OUTCOME_UNKNOWN" } },
      { kind: "given_up", isUnknown: true },
    ],
    [{ status: "CANCELLED", sent_at: null, error: { code: "CANCELLED" } }, { kind: "given_up" }],
    [{ status: "OF_A_NEWER_VERSION" }, { kind: "waiting" }],
  ])("says of %j what becomes of it", (changes, news) => {
    expect(page(item(changes))).toMatchObject({ next: "n", hasMore: true, news: [{ key: "k-1", ...news }] });
  });

  test("leaves out what somebody else sent, and is none without its shape", () => {
    expect(page(item({ client_reference: null }), {}, 7 as never)?.news).toEqual([]);
    expect(readFeedPage("<html>")).toBeNull();
    expect(readFeedPage('{"data":{"messages":[]}}')).toBeNull();
  });
});
