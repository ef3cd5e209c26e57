/** What is typed of an operator, and what of it is asked for. Pure. */
import type { Contract } from "../../api/contract.ts";

type Body = Contract["POST /appliance/operator-draft"]["body"];

/** As typed; what every operator's sheet says begins as the configuration has it by itself. */
export type TypedOperator = {
  readonly code: string;
  readonly name: string;
  readonly host: string;
  readonly port: string;
  readonly systemId: string;
  readonly bind: NonNullable<Body["bind"]>;
  readonly throughput: string;
  readonly window: string;
  readonly price: string;
  readonly prefixes: string;
};

export const NOTHING_TYPED: TypedOperator = {
  ...{ code: "", name: "", host: "", port: "2775", systemId: "" },
  ...{ bind: "transceiver", throughput: "30", window: "10", price: "", prefixes: "" },
};

/** Whether a text can name an operator in the file: that begins with a letter and has no blank. Capitals become small. */
export function isOperatorCode(code: string): boolean {
  return /^[a-z][a-z0-9_-]{0,31}$/.test(codeOf(code));
}

function codeOf(code: string): string {
  return code.trim().toLowerCase();
}

/** What is asked for; the price of those alone who set prices. */
export function draftBody(typed: TypedOperator, setsPrices: boolean): Body {
  const { code, name, host, port, systemId, bind, throughput, window, price, prefixes } = typed;
  return {
    ...{ code: codeOf(code), name: name.trim(), host: host.trim(), system_id: systemId, bind },
    ...{ port: Number(port), throughput: Number(throughput), window: Number(window) },
    ...(setsPrices ? { price: Number(price) } : {}),
    prefixes: prefixesIn(prefixes),
  };
}

/** As sheets write from one to another: `04 à 07`, `04 to 07`, `04-07`. */
const RANGE = /(\d+)\s*(?:à|au|to|-|–|—|\.\.)\s*(\d+)/giu;
/** The country's code before all that follow, which are known without it. */
const COUNTRY = /\+\d{1,3}(?=\s+\d)/g;
const MOST_OF_A_RANGE = 100;

/** The prefixes of a text in which people copied them from a sheet; what is none stays as it is, to be named by whoever refuses it. */
function prefixesIn(text: string): string[] {
  return text
    .replaceAll(COUNTRY, " ")
    .replaceAll(RANGE, (whole: string, first: string, last: string) => {
      const [from, to] = [Number(first), Number(last)];
      if (first.length !== last.length || to < from || to - from >= MOST_OF_A_RANGE) return whole;
      return Array.from({ length: to - from + 1 }, (_, at) =>
        String(from + at).padStart(first.length, "0"),
      ).join(" ");
    })
    .split(/(?:[\s,;+]|\b(?:et|and)\b)+/)
    .filter((prefix) => prefix !== "");
}
