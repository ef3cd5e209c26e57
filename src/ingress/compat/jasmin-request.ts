/** Reads a request as it is written for Jasmin's HTTP API, and refuses in its words (docs/behaviour.md#jasmins-door). */

import { isoUtc } from "../../core/clock.ts";
import type { CompatUser } from "../../domain/accounts/compat-users.ts";
import { decodeGsm } from "../../text/gsm-alphabet.ts";
import { type Arguments, textOf } from "./arguments.ts";
import { mayBeTold } from "./callback-url.ts";
import { decoded } from "./charset.ts";
import type { Callback } from "./follows.ts";
import { readSdt } from "./sdt.ts";
import type { Wanted } from "./submission.ts";

export type JasminRequest = { readonly wanted: Wanted; readonly callback: Callback | null };

type Field = { readonly isNeeded?: boolean; readonly pattern?: RegExp };

const LOGIN = {
  username: { isNeeded: true, pattern: /^.{1,16}$/s },
  password: { isNeeded: true, pattern: /^.{1,16}$/s },
} satisfies Record<string, Field>;

const CODING = /^(0|1|2|3|4|5|6|7|8|9|10|13|14)$/;

export const LOGIN_FIELDS: Readonly<Record<string, Field>> = LOGIN;

/** In the order in which Jasmin looks. */
export const RATE_FIELDS: Readonly<Record<string, Field>> = {
  to: { isNeeded: true, pattern: /^\+?\d+$/ },
  from: {},
  coding: { pattern: CODING },
  ...LOGIN,
  priority: { pattern: /^[0-3]$/ },
  "validity-period": { pattern: /^\d+$/ },
  tags: { pattern: /^[-a-zA-Z0-9,]*$/ },
  content: {},
  "hex-content": {},
};

export const SEND_FIELDS: Readonly<Record<string, Field>> = {
  ...RATE_FIELDS,
  sdt: { pattern: /^\d{15}[+\-R]$/ },
  dlr: { pattern: /^(yes|no)$/ },
  "dlr-url": { pattern: /^https?:\/\/.*$/s },
  "dlr-level": { pattern: /^[1-3]$/ },
  "dlr-method": { pattern: /^(get|post)$/i },
  custom_tlvs: {},
};

/** Why the arguments do not fit, in Jasmin's words; null when they do. */
export function faultIn(args: Arguments, fields: Readonly<Record<string, Field>>): string | null {
  // Where some have defaults, there are arguments even in a request without any.
  if (args.size === 0 && fields === LOGIN_FIELDS)
    return "Mandatory arguments not found, please refer to the HTTPAPI specifications.";
  const [first = ""] = args.keys();
  if (args.size > 0 && !Object.hasOwn(fields, first)) return `Argument [${first}] is unknown.`;
  for (const [name, { isNeeded, pattern }] of Object.entries(fields)) {
    const value = textOf(args, name);
    if (value === undefined) {
      if (isNeeded) return `Mandatory argument [${name}] is not found.`;
    } else if (pattern && !pattern.test(value)) {
      return `Argument [${name}] has an invalid value: [${name === "password" ? "" : value}].`;
    }
  }
  for (const name of args.keys()) if (!Object.hasOwn(fields, name)) return `Argument [${name}] is unknown.`;
  return null;
}

/**
 * What a data_coding says of octets; the others are no text. 2 says nothing of them: the first plugins of playSMS write UTF-8 with it.
 */
const CHARSETS: Readonly<Record<string, string>> = {
  "0": "utf-8",
  "1": "ascii",
  "2": "utf-8",
  "3": "iso-8859-1",
  "6": "iso-8859-5",
  "7": "iso-8859-8",
  "8": "utf-16be",
};

/** The text of a request whose arguments fit, or why it has none. */
export function textIn(args: Arguments): { readonly text: string } | { readonly fault: string } {
  const coding = textOf(args, "coding") ?? "0";
  const content = args.get("content");
  const hex = textOf(args, "hex-content");
  if (content && hex !== undefined) {
    return { fault: "content and hex-content cannot be used both in same request." };
  }
  if (!content && hex === undefined) return { fault: "content or hex-content not present." };
  if (hex !== undefined && !/^([0-9a-fA-F]{2})*$/.test(hex)) {
    return { fault: `Invalid hex-content data: '${hex}'` };
  }
  const octets = content ?? Buffer.from(hex ?? "", "hex");
  const charset = CHARSETS[coding];
  const text =
    coding === "0" && !content ? decodeGsm(octets) : charset === undefined ? null : decoded(octets, charset);
  return text === null || text.includes("\0")
    ? { fault: `Argument [coding] has an invalid value: [${coding}].` }
    : { text };
}

/** A request to send whose arguments fit; or why it can't be read. */
export function readSend(
  args: Arguments,
  user: CompatUser,
  { nowMs, mayBePlain }: { readonly nowMs: number; readonly mayBePlain: boolean },
): JasminRequest | { readonly fault: string } {
  const read = textIn(args);
  if ("fault" in read) return read;
  const sdt = textOf(args, "sdt");
  const dueMs = sdt === undefined ? null : readSdt(sdt, nowMs);
  if (sdt !== undefined && dueMs === null) return { fault: `Argument [sdt] has an invalid value: [${sdt}].` };
  const url = textOf(args, "dlr-url");
  if (url !== undefined && !mayBeTold(url, mayBePlain)) {
    return { fault: `Argument [dlr-url] has an invalid value: [${url}].` };
  }
  const sender = textOf(args, "from") || user.sender;
  if (!sender) return { fault: sourceMismatch(user.name) };
  const method = (textOf(args, "dlr-method") ?? "POST").toUpperCase() === "GET" ? "GET" : "POST";
  const mask = Number(textOf(args, "dlr-level") ?? "1");
  const receivers = [textOf(args, "to") ?? ""];
  return {
    wanted: {
      protocol: "jasmin",
      sender,
      text: read.text,
      receivers,
      scheduledAt: dueMs === null || dueMs <= nowMs ? null : isoUtc(dueMs),
      askedTime: askedTimeOf(sdt, dueMs),
    },
    callback: url === undefined ? null : { protocol: "jasmin", url, mask, method },
  };
}

/** A time from now as it is written, else the instant, however its place writes it. */
function askedTimeOf(sdt: string | undefined, dueMs: number | null): string | null {
  if (sdt === undefined || dueMs === null) return null;
  return sdt.endsWith("R") ? sdt : isoUtc(dueMs);
}

export function sourceMismatch(user: string): string {
  return `Value filter failed for user [${user}] (source_address filter mismatch).`;
}
