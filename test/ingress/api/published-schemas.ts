/** The schemas of the OpenAPI document, and what does not keep to them. */
import type { TSchema } from "@sinclair/typebox";
import { Value } from "typebox/value";
import * as events from "../../../src/ingress/api/openapi/event-schemas.ts";
import * as health from "../../../src/ingress/api/openapi/health-schemas.ts";
import { Quote, Warning } from "../../../src/ingress/api/openapi/quote-schemas.ts";
import * as shared from "../../../src/ingress/api/openapi/schemas.ts";
import * as webhooks from "../../../src/ingress/api/openapi/webhook-schemas.ts";

const { WEBHOOKS: _, ...ofEvents } = events;
export const schemas = { ...shared, ...webhooks, ...health, ...ofEvents };

/** A schema with those it refers to put in their places, and with no member allowed that it does not name. */
function closed(schema: unknown): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) => {
      if (typeof value !== "object" || value === null) return value;
      if ("$ref" in value) return published[String(value.$ref).replace("#/components/schemas/", "")];
      return "properties" in value && !("additionalProperties" in value)
        ? { ...value, additionalProperties: false }
        : value;
    }),
  );
}

const published: Readonly<Record<string, TSchema>> = { ...schemas, Quote, Warning };

/** What is not as a published schema says, members that it does not name among them. */
export function faults(schema: TSchema, value: unknown): string[] {
  return Value.Errors(closed(schema), value).map((error) => `${error.instancePath} ${error.message}`);
}
