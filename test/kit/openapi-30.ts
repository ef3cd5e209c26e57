/** An OpenAPI 3.1 document in the words of 3.0, which generators of clients knew longer: null as a mark, one example in place of a list. */
export function inOpenApi30(document: object): object {
  const { webhooks: _, ...older } = asOlder(document) as Record<string, unknown>;
  return { ...older, openapi: "3.0.3" };
}

function asOlder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asOlder);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => [
    name,
    name === "example" ? member : asOlder(member),
  ]);
  return withoutNull(withOneExample(Object.fromEntries(members) as Record<string, unknown>));
}

function withOneExample({ examples, ...rest }: Record<string, unknown>): Record<string, unknown> {
  if (examples === undefined) return rest;
  return Array.isArray(examples) ? { ...rest, example: examples[0] } : { ...rest, examples };
}

function withoutNull(schema: Record<string, unknown>): Record<string, unknown> {
  const { anyOf, ...rest } = schema;
  if (!Array.isArray(anyOf)) return schema;
  const parts = (anyOf as Record<string, unknown>[]).filter(({ type }) => type !== "null");
  if (parts.length === anyOf.length) return schema;
  const [only] = parts;
  if (parts.length > 1 || !only) return { ...rest, anyOf: parts, nullable: true };
  return "$ref" in only ? { ...rest, allOf: parts, nullable: true } : { ...only, ...rest, nullable: true };
}
