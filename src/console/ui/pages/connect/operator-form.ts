/** The form of an operator, and the request made of it. Pure. */
import type { Contract } from "../../api/contract.ts";
import { parsePrefixes } from "./parse-prefixes.ts";

type Body = Contract["POST /appliance/operator-draft"]["body"];

/** Where the password will stand; it is not typed here. */
export type PasswordPlace = "file" | "environment";

/** As typed; defaults are those of the configuration. */
export type TypedOperator = {
  readonly code: string;
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly systemId: string;
  readonly password: PasswordPlace;
  readonly bind: NonNullable<Body["bind"]>;
  readonly throughput: string;
  readonly window: string;
  readonly receipts: "yes" | "no";
  readonly price: string;
  readonly prefixes: string;
};

export const NOTHING_TYPED: TypedOperator = {
  code: "",
  name: "",
  host: "",
  port: "2775",
  systemId: "",
  password: "file",
  bind: "transceiver",
  throughput: "30",
  window: "10",
  receipts: "yes",
  price: "",
  prefixes: "",
};

/** Whether a text can name an operator in the file: that begins with a letter and has no blank. Capitals become small. */
export function isOperatorCode(code: string): boolean {
  return /^[a-z][a-z0-9_-]{0,31}$/.test(codeOf(code));
}

function codeOf(code: string): string {
  return code.trim().toLowerCase();
}

/** The code that a name suggests: its first word as the file may have it. */
export function suggestedCode(name: string): string {
  const [word = ""] = name.trim().split(/\s+/);
  return word
    .normalize("NFD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9_-]/g, "")
    .replace(/^[^a-z]+/, "")
    .slice(0, 32);
}

/** The typed operator with a change; the code follows the name as long as nobody typed another. */
export function withChange(typed: TypedOperator, change: Partial<TypedOperator>): TypedOperator {
  const { name } = change;
  const follows = name !== undefined && typed.code === suggestedCode(typed.name);
  return { ...typed, ...(follows ? { code: suggestedCode(name) } : {}), ...change };
}

/** A whole number as sheets have it, whatever unit follows: `50`, `1 000`, `50 SMS par seconde`. */
export function parseWholeNumber(text: string): number | null {
  const [, digits] = /^(\d+(?:\s\d{3})*)(?!\d)(?:\s*[^\d\s.,]\D*)?$/.exec(text.trim()) ?? [];
  return digits === undefined ? null : Number(digits.replaceAll(/\s/g, ""));
}

/** The request; with a price only from those who set prices. */
export function draftBody(typed: TypedOperator, setsPrices: boolean): Body {
  const { code, name, host, port, systemId, bind, throughput, window, receipts, price, prefixes } = typed;
  const whole = (text: string) => parseWholeNumber(text) ?? Number.NaN;
  return {
    code: codeOf(code),
    name: name.trim(),
    host: host.trim(),
    system_id: systemId.trim(),
    bind,
    port: whole(port),
    throughput: whole(throughput),
    window: whole(window),
    receipts: receipts === "yes",
    ...(setsPrices ? { price: whole(price) } : {}),
    prefixes: [...parsePrefixes(prefixes).prefixes],
  };
}

// Faults of the form, before the server is asked. Pure.

export type FaultyLine =
  | "code"
  | "name"
  | "host"
  | "port"
  | "systemId"
  | "throughput"
  | "window"
  | "price"
  | "prefixes";

export type DraftFault =
  | "EMPTY"
  | "CODE"
  | "HOST"
  | "PORT"
  | "SYSTEM_ID"
  | "THROUGHPUT"
  | "WINDOW"
  | "PRICE"
  | "TOO_MANY_PREFIXES";

/** Most prefixes of an operator in one draft. */
const MAX_PREFIXES = 100;

/** The first fault of each field, in the order of the form; invalid pieces of prefixes have faults of their own. */
export function draftFaults(typed: TypedOperator, setsPrices: boolean): ReadonlyMap<FaultyLine, DraftFault> {
  const { name, code, host, port, systemId, throughput, window, prefixes, price } = typed;
  const found: readonly (readonly [FaultyLine, DraftFault | null])[] = [
    ["name", name.trim() === "" ? "EMPTY" : null],
    ["code", isOperatorCode(code) ? null : "CODE"],
    ["host", hostFault(host.trim())],
    ["port", isWithin(port, 1, 65_535) ? null : "PORT"],
    ["systemId", systemIdFault(systemId.trim())],
    ["throughput", isWithin(throughput, 1, 100_000) ? null : "THROUGHPUT"],
    ["window", isWithin(window, 1, 1000) ? null : "WINDOW"],
    ["prefixes", prefixesFault(prefixes)],
    ["price", !setsPrices || isWithin(price, 0, 1_000_000) ? null : "PRICE"],
  ];
  return new Map(found.flatMap(([line, fault]) => (fault === null ? [] : [[line, fault] as const])));
}

/** Whether it can be submitted. */
export function isWhole(typed: TypedOperator, setsPrices: boolean): boolean {
  return draftFaults(typed, setsPrices).size === 0 && parsePrefixes(typed.prefixes).misread.length === 0;
}

function isWithin(text: string, least: number, most: number): boolean {
  const whole = parseWholeNumber(text);
  return whole !== null && whole >= least && whole <= most;
}

/** A host with its port, or a web address, is not found. */
function hostFault(host: string): DraftFault | null {
  if (host === "") return "EMPTY";
  return /[\s/]|^[^:]*:\d*$/.test(host) ? "HOST" : null;
}

function systemIdFault(systemId: string): DraftFault | null {
  if (systemId === "") return "EMPTY";
  return /^[\x20-\x7e]{1,15}$/.test(systemId) ? null : "SYSTEM_ID";
}

function prefixesFault(text: string): DraftFault | null {
  const { prefixes, misread } = parsePrefixes(text);
  if (prefixes.length === 0) return misread.length > 0 ? null : "EMPTY";
  return prefixes.length > MAX_PREFIXES ? "TOO_MANY_PREFIXES" : null;
}

// The text for the file, line by line, with the lines that are still to be filled in. Pure.

/** `isOpen`: a value has to be filled in, or the password comes from it. */
type DraftLine = { readonly text: string; readonly isOpen: boolean };

/** Placeholder of the password; the configuration refuses it, for it is not ASCII. */
export const PASSWORD_BLANK = 'password = "…"';

/** The lines of a draft, with the password in the file or, as the draft has it, in the environment. */
export function draftLines(draft: string, place: PasswordPlace): readonly DraftLine[] {
  return draft
    .trimEnd()
    .split("\n")
    .map((line) => {
      const isPassword = line.startsWith("password = ");
      const text = isPassword && place === "file" ? PASSWORD_BLANK : line;
      return { text, isOpen: isPassword || line.startsWith("# price") };
    });
}
