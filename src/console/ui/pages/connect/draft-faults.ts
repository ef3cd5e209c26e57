/** What is wrong with what was typed of an operator, before anybody is asked. Pure. */
import { isOperatorCode, type TypedOperator, parseWholeNumber } from "./draft-form.ts";
import { parsePrefixes } from "./prefixes-in.ts";

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

/** As many as an operator may have in one draft. */
const MAX_PREFIXES = 100;

/** The first fault of each line, in the order of the form; pieces of prefixes that are none have faults of their own. */
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

/** Whether it can be asked for. */
export function isWhole(typed: TypedOperator, setsPrices: boolean): boolean {
  return draftFaults(typed, setsPrices).size === 0 && parsePrefixes(typed.prefixes).misread.length === 0;
}

function isWithin(text: string, least: number, most: number): boolean {
  const whole = parseWholeNumber(text);
  return whole !== null && whole >= least && whole <= most;
}

/** With its port, or as an address of the web, nothing is found. */
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
