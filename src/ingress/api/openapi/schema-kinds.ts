/** Building blocks of the API's schemas: kinds of values. */
import { Type as t } from "@sinclair/typebox";
import { CHANNELS } from "../../../core/channels.ts";
import { type Description, describe, oneOf } from "../../../core/request-shape.ts";
import { MESSAGE_CLASSES } from "../../../domain/accounts/message-class.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { listedEnum } from "./open-codes.ts";

export const ulid = (description: Description) =>
  t.String({
    description: describe(description),
    pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    examples: ["01KJQX5Y8M3T7V9B2C4D6F8G0H"],
  });
export const instant = (description: Description) =>
  t.String({
    description: describe(description),
    format: "date-time",
    examples: ["2026-03-01T09:30:00.000Z"],
  });
export const count = (description: Description, example = 3) =>
  t.Integer({ description: describe(description), minimum: 0, examples: [example] });
export const xof = (description: Description, example = 45) =>
  t.Integer({ description: describe("reference.xof", { what: phrase(description) }), examples: [example] });
/** A boolean, with its usual value as the example. */
export const truth = (description: Description, example: boolean) =>
  t.Boolean({ description: describe(description), examples: [example] });
export const isSandbox = truth("reference.is_sandbox", false);
export const instantOrNull = (description: Description) =>
  t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: describe("reference.null_before", { what: phrase(description) }),
    examples: ["2026-03-01T09:30:00.000Z"],
  });

export const currency = oneOf(["XOF"], { description: describe("reference.currency") });
export const channel = oneOf(CHANNELS, { description: describe("reference.channel") });
export const messageClass = oneOf(MESSAGE_CLASSES, {
  description: describe("reference.message_class"),
});
export const senderName = t.String({ description: describe("reference.sender"), examples: ["ACME"] });
export const operatorCode = t.String({
  description: describe("reference.operator"),
  examples: ["orange"],
});

/** A code for programs, one of `codes` today, and its sentence for people. */
export const told = (codes: readonly string[], detail: string, code = codes[0]) => ({
  code: listedEnum("reference.code", codes, code),
  detail: t.String({
    description: describe("reference.detail"),
    examples: [detail],
  }),
});
