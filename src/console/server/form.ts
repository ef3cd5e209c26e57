import type { Clock } from "../../core/clock.ts";
import { bodyHeadFault, readBody } from "../../ingress/http/body.ts";
import type { Exchange } from "../../ingress/http/exchange.ts";
import { parseJson } from "../../ingress/http/json-text.ts";
import { languageOf } from "./language.ts";
import { refusal } from "./refusal.ts";

/** Forms are small. */
const MOST_BYTES = 8192;
const MOST_CHARACTERS = 1000;

export type Form = Readonly<Record<string, string | undefined>>;

/** Reads a form: an object of texts, of the names that are taken and no others. Or the answer that says no. */
export async function readForm(
  exchange: Exchange,
  request: Request,
  clock: Clock,
  names: readonly string[],
): Promise<Form | Response> {
  const language = languageOf(request.headers, null);
  const close = { connection: "close" };
  const fault = bodyHeadFault(request.headers, MOST_BYTES);
  if (fault !== null)
    return refusal(exchange, "VALIDATION_FAILED", language, { detail: fault.detail, headers: close });
  const body = await readBody(request, MOST_BYTES, clock);
  if (!body.ok) {
    const { detail } = body.refusal;
    return refusal(exchange, "VALIDATION_FAILED", language, { detail, headers: close });
  }
  const json = parseJson(body.value);
  const fields = json.ok ? fieldsOf(json.value, names) : null;
  return fields ?? refusal(exchange, "VALIDATION_FAILED", language);
}

function fieldsOf(value: unknown, names: readonly string[]): Form | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const entries: readonly (readonly [string, unknown])[] = Object.entries(value);
  const isText = (field: unknown): field is string =>
    typeof field === "string" && field.length <= MOST_CHARACTERS;
  if (!entries.every(([name, field]) => names.includes(name) && isText(field))) return null;
  return Object.fromEntries(entries.flatMap(([name, field]) => (isText(field) ? [[name, field]] : [])));
}
