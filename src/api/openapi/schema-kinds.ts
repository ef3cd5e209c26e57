/** Kinds of values that the schemas of the API are made of. */
import { Type as t } from "@sinclair/typebox";
import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { CHANNELS } from "../../base/channels.ts";
import { oneOf } from "../../base/shape.ts";
import { listedCode } from "./open-codes.ts";

export const ulid = (description: string) =>
  t.String({
    description,
    pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    examples: ["01KJQX5Y8M3T7V9B2C4D6F8G0H"],
  });
export const instant = (description: string) =>
  t.String({ description, format: "date-time", examples: ["2026-03-01T09:30:00.000Z"] });
export const count = (description: string, example = 3) =>
  t.Integer({ description, minimum: 0, examples: [example] });
export const xof = (description: string, example = 45) =>
  t.Integer({ description: `${description} Whole XOF.`, examples: [example] });
/** A truth, told with the one that is usual. */
export const truth = (description: string, example: boolean) =>
  t.Boolean({ description, examples: [example] });
export const isSandbox = truth("Whether it is of a sandbox: sent or asked with a test key.", false);
export const instantOrNull = (description: string) =>
  t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: `${description} Null before.`,
    examples: ["2026-03-01T09:30:00.000Z"],
  });

export const currency = oneOf(["XOF"], { description: "Of every amount beside it (ISO 4217)." });
export const channel = oneOf(CHANNELS, { description: "By which it is sent." });
export const messageClass = oneOf(MESSAGE_CLASSES, {
  description: "What it is for: it decides when it may be sent, and what goes first.",
});
export const senderName = t.String({ description: "The name that phones show.", examples: ["ACME"] });
export const operatorCode = t.String({
  description: "The code of the operator that the number belongs to. Others may be added.",
  examples: ["orange"],
});

/** A code for programs, one of `codes` today, and its sentence for people. */
export const told = (codes: readonly string[], detail: string, code = codes[0]) => ({
  code: listedCode("For programs:", codes, code),
  detail: t.String({
    description: "What happened this time, for people: not to be compared.",
    examples: [detail],
  }),
});
