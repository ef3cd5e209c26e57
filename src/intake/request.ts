import { isMessageClass, type MessageClass } from "../accounts/classes.ts";
import { accepted, refused } from "../base/failures.ts";
import { nearest } from "../base/nearest.ts";
import type { RecipientList } from "./recipient-list.ts";
import type { IntakeOutcome } from "./refusals.ts";
import { type Faults, faultList, refuseFaults, textFault } from "./request-faults.ts";
import { readRecipients } from "./request-recipients.ts";

export type { AttributeValue, RequestRecipient } from "./request-recipients.ts";

/** A submission whose shape is right (docs/public-api.md section 2.1); what it means is still to be checked. */
export type BatchRequest = {
  readonly sender: string;
  readonly body: string;
  readonly messageClass: MessageClass;
  readonly channel: "SMS" | "WHATSAPP";
  /** 1 to 100,000; those of a large one may be packed. */
  readonly recipients: RecipientList;
  /** As the client wrote it; read by the schedule rules. */
  readonly scheduledAt: string | null;
  readonly timezone: string | null;
  readonly isTest: boolean;
};

/** Limits of docs/public-api.md section 8. Characters are Unicode code points, as maxLength of JSON Schema counts them. */
export const REQUEST_LIMITS = { sender: 32, body: 4000, timezone: 64, scheduledAt: 64 } as const;

const FIELDS: readonly string[] = [
  "sender",
  "body",
  "message_class",
  "channel",
  "recipients",
  "scheduled_at",
  "timezone",
  "is_test",
];

/**
 * Reads a submission body. VALIDATION_FAILED names up to 20 faults; BATCH_EMPTY and BATCH_BODY_EMPTY are told when
 * nothing else is wrong. Unknown fields are refused, those of a recipient ignored (docs/behaviour.md#unknown-fields), and a
 * null stands for an optional field that is left out.
 */
export function readBatchRequest(json: unknown): IntakeOutcome<BatchRequest> {
  if (typeof json !== "object" || json === null || Array.isArray(json)) {
    return refused("VALIDATION_FAILED", "the request body must be a JSON object", [
      { path: "", message: "must be a JSON object" },
    ]);
  }
  const fields: Readonly<Record<string, unknown>> = { ...json };
  const faults = faultList();
  refuseUnknown(fields, faults);
  const sender = requiredText(fields, "sender", REQUEST_LIMITS.sender, faults);
  if (sender?.trim() === "") faults.add("/sender", "must not be blank");
  const body = requiredText(fields, "body", REQUEST_LIMITS.body, faults);
  const messageClass = readClass(fields.message_class, faults);
  const channel = readChannel(fields.channel, faults);
  const scheduledAt = optionalText(fields, "scheduled_at", REQUEST_LIMITS.scheduledAt, faults);
  const timezone = optionalText(fields, "timezone", REQUEST_LIMITS.timezone, faults);
  const isTest = fields.is_test ?? false;
  if (typeof isTest !== "boolean") faults.add("/is_test", "must be true or false");
  const recipients = readRecipients(fields.recipients, faults);

  const isIncomplete = sender === null || body === null || messageClass === null || channel === null;
  if (faults.found.length > 0 || isIncomplete || recipients === null || typeof isTest !== "boolean") {
    return refuseFaults(faults.found);
  }
  if (recipients.length === 0) return refused("BATCH_EMPTY", "the batch has no recipients");
  if (body.trim() === "") return refused("BATCH_BODY_EMPTY", "body is blank once it is trimmed");
  return accepted({ sender, body, messageClass, channel, recipients, scheduledAt, timezone, isTest });
}

function refuseUnknown(fields: Readonly<Record<string, unknown>>, faults: Faults): void {
  for (const name of Object.keys(fields)) {
    if (FIELDS.includes(name)) continue;
    if (faults.isFull()) return;
    const meant = nearest(name.slice(0, 64), FIELDS);
    faults.at(
      [name],
      meant === null ? "is not a known field" : `is not a known field; did you mean ${meant}?`,
    );
  }
}

function requiredText(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  most: number,
  faults: Faults,
): string | null {
  const value = fields[name];
  if (value === undefined) {
    faults.add(`/${name}`, "is required");
    return null;
  }
  return readText(value, name, most, faults);
}

function optionalText(
  fields: Readonly<Record<string, unknown>>,
  name: string,
  most: number,
  faults: Faults,
): string | null {
  const value = fields[name] ?? null;
  return value === null ? null : readText(value, name, most, faults);
}

function readText(value: unknown, name: string, most: number, faults: Faults): string | null {
  if (typeof value !== "string") {
    faults.add(`/${name}`, "must be a string");
    return null;
  }
  const fault = textFault(value, most);
  if (fault === null) return value;
  faults.add(`/${name}`, fault);
  return null;
}

function readClass(value: unknown, faults: Faults): MessageClass | null {
  if (typeof value === "string" && isMessageClass(value)) return value;
  faults.add(
    "/message_class",
    value === undefined ? "is required" : "must be TRANSACTIONAL, MARKETING or OTP",
  );
  return null;
}

function readChannel(value: unknown, faults: Faults): "SMS" | "WHATSAPP" | null {
  const channel = value ?? "SMS";
  if (channel === "SMS" || channel === "WHATSAPP") return channel;
  faults.add("/channel", "must be SMS or WHATSAPP");
  return null;
}
