import type { TObject } from "@sinclair/typebox";
import { type Description, describe } from "../../../core/description.ts";
import type { Scope } from "../../../domain/accounts/scopes.ts";
import { phrase } from "../../../i18n/phrase.ts";
import { FAILURES, type FailureCode, retryAfterSeconds } from "../../http/failures.ts";
import { problemExample } from "./examples.ts";

/** The OpenAPI operation of each route, handed to Elysia as the route's `detail`. */
export type OperationDoc = {
  readonly operationId: string;
  readonly tags: string[];
  readonly summary: string;
  readonly description: string;
  readonly [member: string]: unknown;
};

/** The same of a route of the API. `x-scope` is what is asked of a key; the document keeps it as an extension. */
export type ScopedDoc = OperationDoc & { readonly "x-scope": Scope };

export type Json = Readonly<Record<string, unknown>>;

export const ref = (name: string): Json => ({ $ref: `#/components/schemas/${name}` });
export const header = (name: string): Json => ({ $ref: `#/components/headers/${name}` });

const EVERYWHERE: readonly FailureCode[] = [
  "UNAUTHORIZED",
  "INSUFFICIENT_SCOPE",
  "RATE_LIMITED",
  "UNSUPPORTED_VERSION",
  "SERVICE_UNAVAILABLE",
  "CONFIGURATION_ERROR",
  "INTERNAL_ERROR",
];

const RATE_HEADERS: Json = {
  "X-Request-Id": header("X-Request-Id"),
  "X-RateLimit-Limit": header("X-RateLimit-Limit"),
  "X-RateLimit-Remaining": header("X-RateLimit-Remaining"),
  "X-RateLimit-Reset": header("X-RateLimit-Reset"),
};

export function success(
  schema: string,
  description: Description,
  example: unknown,
  headers: Json = {},
): Json {
  const content = {
    "application/json": {
      schema: { type: "object", required: ["data"], properties: { data: ref(schema) } },
      example: { data: example },
    },
  };
  return { description: describe(description), headers: { ...RATE_HEADERS, ...headers }, content };
}

/** One response for each HTTP status among the codes, with an example of every code. */
function failures(codes: readonly FailureCode[]): Json {
  const responses: Record<string, Json> = {};
  for (const [status, group] of Map.groupBy(codes, (code) => FAILURES[code].status)) {
    const isKnown = !group.some((code) => code === "UNAUTHORIZED" || code === "UNSUPPORTED_VERSION");
    const waits = group.some((code) => code === "RATE_LIMITED" || retryAfterSeconds(code) !== null);
    responses[String(status)] = {
      description: group.join(", "),
      headers: {
        ...(isKnown ? RATE_HEADERS : { "X-Request-Id": header("X-Request-Id") }),
        ...(waits ? { "Retry-After": header("Retry-After") } : {}),
      },
      content: {
        "application/json": {
          schema: ref("Problem"),
          examples: Object.fromEntries(group.map((code) => [code, { value: problemExample(code) }])),
        },
      },
    };
  }
  return responses;
}

type ApiDoc = {
  readonly operationId: string;
  readonly tag: Description;
  readonly scope: Scope;
  readonly summary: Description;
  readonly description: Description;
  readonly parameters?: readonly Json[];
  readonly requestBody?: Json;
  readonly status?: 200 | 201 | 202;
  readonly success: Json;
  readonly codes: readonly FailureCode[];
};

export function apiDoc(doc: ApiDoc): ScopedDoc {
  return {
    operationId: doc.operationId,
    tags: [describe(doc.tag)],
    summary: describe(doc.summary),
    description: describe("reference.scope", { what: phrase(doc.description), scope: doc.scope }),
    "x-scope": doc.scope,
    security: [{ bearer: [] }, { apiKey: [] }],
    ...(doc.parameters ? { parameters: doc.parameters } : {}),
    ...(doc.requestBody ? { requestBody: doc.requestBody } : {}),
    responses: { [doc.status ?? 200]: doc.success, ...failures([...doc.codes, ...EVERYWHERE]) },
  };
}

export const idIn = (name: string): Json => ({
  name,
  in: "path",
  required: true,
  description: describe("reference.id"),
  schema: { type: "string", minLength: 26, maxLength: 26 },
  example: "01KJQX5Y8M3T7V9B2C4D6F8G0H",
});

/** The parameters of a query string, from the schema of an object of them. */
export function queryParameters({ properties, required = [] }: TObject): readonly Json[] {
  return Object.entries(properties).map(([name, { description, examples, ...schema }]) => ({
    name,
    in: "query",
    ...(required.includes(name) ? { required: true } : {}),
    ...(description === undefined ? {} : { description }),
    schema,
    ...(examples === undefined ? {} : { example: examples[0] }),
  }));
}
