/** Query strings, whose parameters are shapes of requests like bodies. */
import { type TSchema, Type as t } from "@sinclair/typebox";
import { describe } from "../../core/description.ts";
import type { FaultList } from "../../core/field-faults.ts";
import { readIsoTime } from "../../core/iso-time.ts";
import { nearest } from "../../core/nearest.ts";
import { referenceFault } from "../../core/reference.ts";
import { type Field, hasShape, type RequestShape } from "../../core/shape.ts";
import { isoToStampUs } from "../../domain/messages/stamps.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

const USUAL_LIMIT = 100;
const MAX_LIMIT = 500;

/** A parameter, whose values are the texts that were given for it. Nobody can tell which of two was meant. */
export function parameter<Schema extends TSchema>(
  schema: Schema,
  faultOf: (text: string) => Phrase | null,
  missing: Phrase | null = null,
): Field<Schema> {
  return {
    schema,
    check: (values, tell) => {
      const [text, second]: readonly unknown[] = Array.isArray(values) ? values : [];
      const fault = typeof text === "string" ? faultOf(text) : missing;
      if (second !== undefined) tell(phrase("fault.parameter.twice"));
      else if (fault !== null) tell(fault);
    },
  };
}

/** What is wrong with a text that should be a moment; null: nothing. One without its offset could be any of a day's hours. */
export function findTimestampFault(text: string): Phrase | null {
  if (isoToStampUs(text) !== null) return null;
  const time = readIsoTime(text);
  return phrase(time === null || time.isDate ? "fault.moment" : "fault.moment.offset");
}

/** What a client called a batch or a recipient. */
export const REFERENCE_PARAMETER = parameter(
  t.Optional(
    t.String({
      description: describe("reference.called_so"),
      minLength: 1,
      maxLength: 64,
      examples: ["order-1042"],
    }),
  ),
  referenceFault,
);

/** How many items a page has at most. */
export const LIMIT = parameter(
  t.Optional(
    t.Integer({
      description: describe("reference.limit"),
      minimum: 1,
      maximum: MAX_LIMIT,
      default: USUAL_LIMIT,
    }),
  ),
  (text) => {
    const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0;
    return limit < 1 || limit > MAX_LIMIT ? phrase("fault.whole_in", { least: 1, most: MAX_LIMIT }) : null;
  },
);

/** The limit of a query string that has the shape. */
export function readLimit(query: URLSearchParams): number {
  return Number(query.get("limit") ?? USUAL_LIMIT);
}

/** The query string of a URL, taken apart. */
export function parseQueryString(url: string): URLSearchParams {
  const at = url.indexOf("?");
  return new URLSearchParams(at === -1 ? "" : url.slice(at + 1));
}

/** Adds what is wrong with the parameters of a shape; of others nothing is said. */
export function checkQuery(shape: RequestShape, query: URLSearchParams, faults: FaultList): void {
  const names = Object.keys(shape.fields);
  hasShape(shape, Object.fromEntries(names.map((name) => [name, query.getAll(name)])), faults);
}

/** Adds each parameter that the shape does not have: a misspelt filter must not list everything. */
export function refuseOtherParameters(
  { fields }: RequestShape,
  query: URLSearchParams,
  faults: FaultList,
): void {
  for (const name of new Set(query.keys())) {
    if (Object.hasOwn(fields, name)) continue;
    const meant = nearest(name.slice(0, 64), Object.keys(fields));
    faults.at([name], meant === null ? phrase("fault.parameter") : phrase("fault.parameter.near", { meant }));
  }
}
