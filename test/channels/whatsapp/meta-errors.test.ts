import { describe, expect, test } from "vitest";
import { classifyMetaError } from "../../../src/channels/whatsapp/meta-errors.ts";

const again = (slows: string, restMs = 0) => ({ kind: "again", slows, restMs });
const final = (error: string) => ({ kind: "final", error });
const STOP = { kind: "stop" };
const UNKNOWN = { kind: "unknown" };
const REJECTED = final("OPERATOR_REJECTED");

/** Every code of the table: with its HTTP status what it means as an answer, and what as a status. */
const ROWS: readonly (readonly [code: number, http: number, answer: object, status: object])[] = [
  [130429, 400, again("number"), again("number")],
  [130429, 429, again("number"), again("number")],
  [131057, 500, again("number", 60_000), again("number", 60_000)],
  [80007, 400, again("account"), again("account")],
  [4, 400, again("app"), again("app")],
  [131056, 400, again("user", 6000), again("user", 6000)],
  [1, 400, UNKNOWN, REJECTED],
  [1, 500, UNKNOWN, REJECTED],
  [2, 503, UNKNOWN, REJECTED],
  [131000, 500, UNKNOWN, REJECTED],
  [131016, 500, UNKNOWN, REJECTED],
  [131016, 400, UNKNOWN, REJECTED],
  [131026, 400, final("UNKNOWN_SUBSCRIBER"), final("UNKNOWN_SUBSCRIBER")],
  [131047, 400, final("WINDOW_CLOSED"), final("WINDOW_CLOSED")],
  [131049, 400, final("CHANNEL_LIMIT"), final("CHANNEL_LIMIT")],
  [130472, 400, final("CHANNEL_LIMIT"), final("CHANNEL_LIMIT")],
  [131050, 400, final("RECIPIENT_OPTED_OUT"), final("RECIPIENT_OPTED_OUT")],
  ...[100, 131008, 131009, 132000, 132005, 132012, 132018].map(
    (code) => [code, 400, final("PARAMETER_REFUSED"), final("PARAMETER_REFUSED")] as const,
  ),
  ...[132001, 132007, 132015, 132016].map(
    (code) => [code, 404, final("TEMPLATE_UNAVAILABLE"), final("TEMPLATE_UNAVAILABLE")] as const,
  ),
  [130497, 403, REJECTED, REJECTED],
  ...[190, 0, 10, 33, 133010, 200, 250, 299, 131042, 131048, 368, 131031].map(
    (code) => [code, 400, STOP, STOP] as const,
  ),
  ...[102, 803, 133006, 131037].map((code) => [code, 400, STOP, STOP] as const),
  [3, 500, STOP, STOP],
  [131005, 403, STOP, STOP],
  [131045, 500, STOP, STOP],
  // What nobody has heard of.
  [139200, 400, REJECTED, REJECTED],
  [777777, 404, REJECTED, REJECTED],
  [777777, 500, UNKNOWN, REJECTED],
  [300, 400, REJECTED, REJECTED],
  [199, 400, REJECTED, REJECTED],
];

describe("what a code of Meta's leads to", () => {
  test.each(ROWS)("%d under %d", (code, http, answer, status) => {
    expect(classifyMetaError(code, { as: "answer", httpStatus: http })).toEqual(answer);
    expect(classifyMetaError(code, { as: "status" })).toEqual(status);
  });

  test.each([
    [429, again("number")],
    [401, STOP],
    [403, REJECTED],
    [404, REJECTED],
    [302, REJECTED],
    [408, UNKNOWN],
    [500, UNKNOWN],
    [503, UNKNOWN],
    [200, UNKNOWN],
  ] as const)("%d without a code that can be read", (httpStatus, consequence) => {
    expect(classifyMetaError(null, { as: "answer", httpStatus })).toEqual(consequence);
  });

  test("a failure without a code is final", () => {
    expect(classifyMetaError(null, { as: "status" })).toEqual(REJECTED);
  });
});
