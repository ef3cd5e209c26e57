/** Kinds of values that the schemas of the API are made of. */
import { Type as t } from "@sinclair/typebox";
import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { oneOf } from "../../base/shape.ts";
import { CHANNELS } from "../../messages/channels.ts";

export const ulid = (description: string) =>
  t.String({
    description,
    pattern: "^[0-7][0-9A-HJKMNP-TV-Z]{25}$",
    examples: ["01KJQX5Y8M3T7V9B2C4D6F8G0H"],
  });
export const instant = (description: string) =>
  t.String({ description, format: "date-time", examples: ["2026-03-01T09:30:00.000Z"] });
export const count = (description: string) => t.Integer({ description, minimum: 0 });
export const xof = (description: string) => t.Integer({ description: `${description} Whole XOF.` });
export const instantOrNull = (description: string) =>
  t.Union([t.String({ format: "date-time" }), t.Null()], {
    description: `${description} Null before.`,
    examples: ["2026-03-01T09:30:00.000Z"],
  });

export const currency = oneOf(["XOF"]);
export const channel = oneOf(CHANNELS);
export const messageClass = oneOf(MESSAGE_CLASSES);
