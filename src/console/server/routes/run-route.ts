/** Runs a route: checks the input against its schemas, does what it does, and returns status and value. */
import type { TSchema } from "typebox";
import { Value } from "typebox/value";
import type { AdminCode, AdminRefusal } from "../../../admin/operations/refusal.ts";
import { getOwn } from "../../../core/own-value.ts";
import { type SchemaError, schemaErrors } from "../../../core/schema-errors.ts";
import { type Phrase, phrase } from "../../../i18n/phrase.ts";
import type { PageContext } from "./request-context.ts";
import { type Download, isDownload, type Route } from "./route.ts";

/** The input of a request, unparsed. */
export type RawRequest = {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Undefined where it had no body. */
  readonly body: unknown;
};

export type Refused = {
  readonly kind: "refused";
  readonly status: number;
  readonly code: AdminCode | "NOT_FOUND" | "VALIDATION_FAILED";
  readonly detail: Phrase;
  readonly faults: readonly InvalidField[];
  /** Whole seconds until a retry, where that is known. */
  readonly retrySeconds?: number | undefined;
};

export type RouteOutcome =
  | { readonly kind: "data"; readonly data: unknown }
  | { readonly kind: "file"; readonly file: Download }
  | Refused;

/** What is missing and what is another account's give the same sentence. */
const NOT_FOUND: Refused = {
  kind: "refused",
  status: 404,
  code: "NOT_FOUND",
  detail: phrase("refusal.NOT_FOUND"),
  faults: [],
};

const MAX_FAULTS = 20;

/** Runs a route; the permission was checked before. */
export async function runRoute(route: Route, asked: PageContext, unread: RawRequest): Promise<RouteOutcome> {
  const faults: InvalidField[] = [];
  const brought = {
    params: read(route.params, unread.params, "", faults, true),
    query: read(route.query, unread.query, "", faults, true),
    body: read(route.body, unread.body, "", faults, false),
  };
  const told = faults.slice(0, MAX_FAULTS);
  const [first] = told;
  if (first) {
    const detail = inOneSentence(first);
    return { kind: "refused", status: 422, code: "VALIDATION_FAILED", detail, faults: told };
  }
  const outcome = await route.run(asked, brought);
  if (!outcome.ok) return refusalOf(asked, outcome.refusal);
  return isDownload(outcome.value)
    ? { kind: "file", file: outcome.value }
    : { kind: "data", data: outcome.value };
}

function inOneSentence({ path, message: fault }: InvalidField): Phrase {
  const name = path.slice(1);
  return name === ""
    ? phrase("refusal.VALIDATION_FAILED.request", { fault })
    : phrase("refusal.VALIDATION_FAILED.field", { path: name, fault });
}

/** Reads a value by its schema; texts of an address become numbers where those are meant. Unknown fields are refused. */
function read(
  schema: TSchema | undefined,
  value: unknown,
  base: string,
  faults: InvalidField[],
  isText: boolean,
): unknown {
  if (schema === undefined) {
    if (isText || value === undefined) return undefined;
    faults.push({ path: base, message: phrase("fault.no_body") });
    return undefined;
  }
  const converted = isText ? fromTexts(schema, asRecord(value)) : value;
  const { properties }: { readonly properties?: object } = schema;
  const fields = properties === undefined ? null : Object.keys(properties);
  for (const name of fields === null ? [] : Object.keys(asRecord(value))) {
    if (!fields?.includes(name)) faults.push({ path: `${base}/${name}`, message: phrase("fault.unknown") });
  }
  for (const { path, message } of findFaults(schema, converted)) faults.push({ path: base + path, message });
  return converted;
}

/** Converts texts of an address to the values that are meant; an empty one is absent. */
function fromTexts(schema: TSchema, texts: Readonly<Record<string, unknown>>): unknown {
  const empty = Object.fromEntries(Object.entries(texts).filter(([, text]) => text === ""));
  return Object.assign(asRecord(Value.Convert(schema, { ...texts })), empty);
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** Hides suggestions from a confined user: those would be others' names. */
function refusalOf({ account }: PageContext, { code, detail, retrySeconds }: AdminRefusal): Refused {
  const status = statusOf(code);
  if (status === 404) return NOT_FOUND;
  if (code === "ACCOUNT_AMBIGUOUS" && account !== null) return NOT_FOUND;
  return { kind: "refused", status, code, detail, faults: [], retrySeconds };
}

const ABSENT: readonly AdminCode[] = ["OPERATOR_UNKNOWN", "CONNECTION_UNKNOWN", "ROUTE_UNKNOWN"];
const NOT_NOW: readonly AdminCode[] = [
  ...(["SERVER_NOT_RUNNING", "STOPPING", "STORE_BUSY", "STORE_UNAVAILABLE", "RESTORING", "NOT_NOW"] as const),
  ...(["SERVER_LOST", "DISK_RESERVE"] as const),
];

function statusOf(code: AdminCode): number {
  if (code.endsWith("_NOT_FOUND") || ABSENT.includes(code)) return 404;
  if (NOT_NOW.includes(code)) return 503;
  if (code === "INTERNAL_ERROR") return 500;
  if (code === "RATE_LIMITED") return 429;
  if (code === "VALIDATION_FAILED") return 422;
  if (code.startsWith("INVALID_") || code === "NOTHING_TO_CHANGE" || code === "CREDIT_LIMIT_NOT_ALLOWED")
    return 422;
  return 409;
}

// Faults of a value in words for people: those of the validating library are for programmers.

/** One invalid value; `path` as in JSON Pointer. */
type InvalidField = { readonly path: string; readonly message: Phrase };

const MAX_WORDED_FAULTS = 20;

/** What of a schema explains a fault (JSON Schema). */
type Shape = {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly TSchema[];
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly items?: TSchema;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
};

/** The first fault of each field, as many as a person reads; empty where the value is valid. */
export function findFaults(schema: TSchema, value: unknown): InvalidField[] {
  const errors = schemaErrors(schema, value);
  const unions = errors.flatMap(({ keyword, instancePath }) => (keyword === "anyOf" ? [instancePath] : []));
  const byPath = new Map<string, InvalidField>();
  const add = (path: string, message: Phrase): void => {
    if (!byPath.has(path) && byPath.size < MAX_WORDED_FAULTS) byPath.set(path, { path, message });
  };
  for (const error of errors) {
    const { keyword, instancePath: path } = error;
    // No variant of a union fits: their faults are reported as one.
    if (keyword !== "anyOf" && unions.some((union) => path === union || path.startsWith(`${union}/`)))
      continue;
    if (keyword === "required") {
      for (const name of error.params.requiredProperties) add(`${path}/${name}`, phrase("fault.missing"));
      continue;
    }
    const spot = follow(schema, value, path);
    add(path, faultFor(error, spot.shape, spot.value));
  }
  return [...byPath.values()];
}

function faultFor({ keyword, instancePath: path }: SchemaError, shape: Shape, value: unknown): Phrase {
  switch (keyword) {
    case "minLength":
      return shape.minLength === 1
        ? phrase("fault.empty")
        : phrase("fault.too_short", { least: String(shape.minLength) });
    case "maxLength":
      return phrase("fault.too_long", { most: String(shape.maxLength) });
    case "maxItems":
      return phrase("fault.too_many", { most: String(shape.maxItems) });
    case "uniqueItems":
      return phrase("fault.repeated");
    case "minItems":
      return phrase("fault.empty");
    case "enum":
      return phrase("fault.one_of", { words: (shape.enum ?? []).join(", ") });
    case "anyOf":
      return faultForUnion(shape.anyOf ?? [], value);
    case "pattern":
      return phrase("fault.written_otherwise");
    case "type":
      return shape.type === "object" && path === "" ? phrase("fault.nothing") : kindOf(shape);
    default:
      return kindOf(shape);
  }
}

/** The fault of a union: of a nullable value that of the value; of several literals, which they are. */
function faultForUnion(choices: readonly TSchema[], value: unknown): Phrase {
  const words = choices.flatMap(wordsOf);
  if (words.length > 0) return phrase("fault.one_of", { words: words.join(", ") });
  const [first] = choices;
  const fault = first && findFaults(first, value)[0];
  return fault ? fault.message : phrase("fault.written_otherwise");
}

function wordsOf(choice: TSchema): string[] {
  const { const: word, enum: words = [] }: Shape = choice;
  return word === undefined ? words.map(String) : [String(word)];
}

function kindOf(shape: Shape): Phrase {
  switch (shape.type) {
    case "integer":
    case "number":
      return boundsOf(shape);
    case "string":
      return shape.const === undefined
        ? phrase("fault.text")
        : phrase("fault.one_of", { words: String(shape.const) });
    case "boolean":
      return phrase("fault.boolean");
    case "array":
      return phrase("fault.list");
    default:
      return phrase("fault.as_asked");
  }
}

function boundsOf({ minimum, maximum }: Shape): Phrase {
  return minimum === undefined || maximum === undefined
    ? phrase("fault.whole")
    : phrase("fault.whole_in", { least: String(minimum), most: String(maximum) });
}

/** What stands at a place and what its schema says of it (JSON Pointer, RFC 6901). */
function follow(
  schema: TSchema,
  value: unknown,
  pointer: string,
): { readonly shape: Shape; readonly value: unknown } {
  let shape: Shape = schema;
  let at = value;
  for (const token of pointer.split("/").slice(1)) {
    const name = token.replaceAll("~1", "/").replaceAll("~0", "~");
    shape = (Array.isArray(at) ? shape.items : getOwn(shape.properties, name)) ?? {};
    at = typeof at === "object" && at !== null ? getOwn({ ...at }, name) : undefined;
  }
  return { shape, value: at };
}
