/** A document of the configuration as TOML: one inline table for each of its tables. */
export function tomlText(document: Readonly<Record<string, unknown>>): string {
  return Object.entries(document)
    .map(([key, value]) => `${JSON.stringify(key)} = ${valueText(value)}\n`)
    .join("");
}

function valueText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueText).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(
      ([key, member]) => `${JSON.stringify(key)} = ${valueText(member)}`,
    );
    return `{ ${members.join(", ")} }`;
  }
  return JSON.stringify(value);
}
