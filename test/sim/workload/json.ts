/** What came in as JSON, read without trusting it: actors go on whatever they are answered. */
export type Table = Readonly<Record<string, unknown>>;

/** The value as a table; an empty one of anything else. */
export function tableOf(value: unknown): Table {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Table) : {};
}

/** The value as tables; none of anything but a list. */
export function tablesOf(value: unknown): readonly Table[] {
  return Array.isArray(value) ? value.map(tableOf) : [];
}

/** The value as a text that is not empty, or null. */
export function textOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

/** The body of an answer as a table; an empty one when it is no JSON. */
export function readBody(body: string): Table {
  try {
    return tableOf(JSON.parse(body));
  } catch {
    return {};
  }
}
