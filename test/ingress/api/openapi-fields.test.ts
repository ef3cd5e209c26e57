/** Every field of the document says what it is, in which unit, and has an example that is one: client code is generated from it. */
import { Value } from "typebox/value";
import { beforeAll, describe, expect, test } from "vitest";
import { MESSAGE_ERRORS } from "../../../src/domain/messages/message-status.ts";
import { REJECTION_REASONS } from "../../../src/domain/submission/rejections.ts";
import { WARNING_CODES } from "../../../src/domain/submission/warnings.ts";
import { FAILURES } from "../../../src/ingress/http/error-codes.ts";
import { httpFixture } from "./fixture.ts";

type Schema = {
  readonly $ref?: string;
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly enum?: readonly unknown[];
  readonly "x-extensible-enum"?: readonly string[];
  readonly default?: unknown;
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
};

/** Where a code stands that is not ours to add to, or is no code of an answer to a client. */
const CLOSED = /^(Health|ApplianceHealth|Template)\b|^Problem\.status$|^WebhookTested\./;

type Field = { readonly at: string; readonly schema: Schema };

let named: Readonly<Record<string, Schema>>;
let fields: readonly Field[];
beforeAll(async () => {
  const fixture = await httpFixture();
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as {
    components: { schemas: Record<string, Schema> };
  };
  await fixture.close();
  named = document.components.schemas;
  fields = Object.entries(named).flatMap(([name, schema]) => fieldsOf(schema, name));
});

/** The members of objects in a schema, however deep, but for those of schemas that have a name. */
function fieldsOf(schema: Schema, at: string): Field[] {
  const own = Object.entries(schema.properties ?? {}).map(([name, member]) => ({
    at: `${at}.${name}`,
    schema: member,
  }));
  const inside = own.flatMap((field) => fieldsOf(field.schema, field.at));
  const parts = [...(schema.items ? [schema.items] : []), ...(schema.anyOf ?? [])];
  return [...own, ...inside, ...parts.flatMap((part) => fieldsOf(part, at))];
}

/** Whether the values of a schema are made of values that stand by themselves in the document. */
const isMadeOfOthers = (schema: Schema): boolean =>
  schema.properties !== undefined ||
  schema.items !== undefined ||
  (schema.anyOf ?? []).some((part) => part.$ref !== undefined || isMadeOfOthers(part));

/** A list of values from which anybody can take one. */
const valuesOf = ({ enum: words, anyOf = [] }: Schema): readonly unknown[] | undefined =>
  words ?? anyOf.find((part) => part.enum)?.enum;

/** What an example is checked by: places that other schemas stand in take anything. */
function checked(schema: Schema): object {
  return JSON.parse(
    JSON.stringify(schema, (_key, value: unknown) =>
      typeof value === "object" && value !== null && "$ref" in value ? {} : value,
    ),
  );
}

describe("every field", () => {
  test("is described", () => {
    expect(fields.length).toBeGreaterThan(100);
    const bare = fields.filter(({ schema }) => schema.$ref === undefined && !schema.description?.trim());
    expect(bare.map(({ at }) => at)).toEqual([]);
  });

  test("has an example, unless its values are listed or it is made of fields that have one", () => {
    const bare = fields.filter(
      ({ schema }) =>
        schema.$ref === undefined &&
        !isMadeOfOthers(schema) &&
        valuesOf(schema) === undefined &&
        (schema.examples ?? []).length === 0,
    );
    expect(bare.map(({ at }) => at)).toEqual([]);
  });

  test("has examples that are values of it", () => {
    const wrong = fields.flatMap(({ at, schema }) =>
      (schema.examples ?? []).filter((example) => !Value.Check(checked(schema), example)).map(() => at),
    );
    expect(wrong).toEqual([]);
  });

  test("of an amount says its unit, and of a length of time as well", () => {
    const amounts = fields.filter(({ at }) =>
      /\.(\w*amount|price|saved|balance|reserved|spendable\w*|credit_limit)$/.test(at),
    );
    expect(amounts.length).toBeGreaterThan(10);
    expect(amounts.filter(({ schema }) => !schema.description?.includes("Whole XOF"))).toEqual([]);
    const lengths = fields.filter(({ at }) => /_(ms|seconds|minutes|hours)$/.test(at));
    expect(
      lengths.filter(({ schema }) => !/milliseconds|seconds|minutes|hours/.test(schema.description ?? "")),
    ).toEqual([]);
  });

  test("that is a code of an answer lists those of today, and takes one that is added", () => {
    const codes = fields.filter(
      ({ at }) => /\.(code|status|reason_code|text_policy|missing_attributes)$/.test(at) && !CLOSED.test(at),
    );
    const answered = codes.filter(({ at }) => !at.startsWith("BatchSubmission."));
    expect(answered.length).toBeGreaterThan(15);
    for (const { at, schema } of answered) {
      const { "x-extensible-enum": known = [], examples = [] } = schema;
      expect([at, known.length > 0, schema.enum]).toEqual([at, true, undefined]);
      expect([at, known]).toEqual([at, expect.arrayContaining([...examples])]);
      expect([at, known.filter((code) => !schema.description?.includes(code))]).toEqual([at, []]);
      expect(schema.description).toMatch(/Others may be added\.$/);
      expect([at, Value.Check(checked(schema), "ADDED_LATER")]).toEqual([at, true]);
    }
    const listOf = (at: string) => answered.find((field) => field.at === at)?.schema["x-extensible-enum"];
    expect(listOf("Problem.code")).toEqual(Object.keys(FAILURES));
    expect(listOf("Rejection.reason_code")).toEqual([...REJECTION_REASONS]);
    expect(listOf("Message.error.code")).toEqual(Object.keys(MESSAGE_ERRORS));
    expect(listOf("Warning.code")).toEqual([...WARNING_CODES]);
  });
});
