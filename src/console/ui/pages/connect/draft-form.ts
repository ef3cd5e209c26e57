/** What is typed of an operator, and what of it is asked for. Pure. */
import type { Contract } from "../../api/contract.ts";
import { parsePrefixes } from "./prefixes-in.ts";

type Body = Contract["POST /appliance/operator-draft"]["body"];

/** Where the password will stand; it is not typed here. */
export type PasswordPlace = "file" | "environment";

/** As typed; what every operator's sheet says begins as the configuration has it by itself. */
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

/** What is asked for; the price of those alone who set prices. */
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
