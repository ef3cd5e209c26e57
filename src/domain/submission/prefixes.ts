/**
 * Which operator owns a number, by the longest of the configured prefixes that it begins with
 * (docs/behaviour.md#which-operator). Numbers and prefixes are E.164 digits without "+". Null when nobody owns it.
 */
export function prefixTable(
  operators: Readonly<Record<string, { readonly prefixes: readonly string[] }>>,
): (digits: string) => string | null {
  const owners = new Map<string, string>();
  for (const [code, { prefixes }] of Object.entries(operators)) {
    for (const prefix of prefixes) owners.set(prefix, code);
  }
  const lengths = [...new Set([...owners.keys()].map((prefix) => prefix.length))].sort((a, b) => b - a);
  return (digits) => {
    for (const length of lengths) {
      const owner = owners.get(digits.slice(0, length));
      if (owner !== undefined && digits.length >= length) return owner;
    }
    return null;
  };
}
