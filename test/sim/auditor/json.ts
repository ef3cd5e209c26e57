/** Reads what came over the wires, of which nothing is known: a member that is not there, or of another kind, is null. */
export type Json = unknown;

/** The value of a text; undefined when it is not JSON. */
export function parseJson(text: string | null): Json {
  if (text === null) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** So many characters are kept read: all of a short run, a little of a long one, whose values would fill the memory. */
const KEPT = 32_000_000;

/** Readers of texts: each is read when it is asked for, and once more if many others were read since. */
export function jsonReaders(kept = KEPT): (words: () => string | null) => () => Json {
  type Slot = { read: { readonly value: Json } | null };
  let [older, newer, size]: [Slot[], Slot[], number] = [[], [], 0];
  return (words) => {
    const slot: Slot = { read: null };
    return () => {
      if (slot.read !== null) return slot.read.value;
      const text = words();
      slot.read = { value: parseJson(text) };
      newer.push(slot);
      size += text?.length ?? 0;
      if (size > kept / 2) {
        for (const each of older) each.read = null;
        [older, newer, size] = [newer, [], 0];
      }
      return slot.read?.value;
    };
  };
}

/** A member by its path; undefined where a step is missing. */
export function member(value: Json, ...path: readonly string[]): Json {
  let at = value;
  for (const step of path) {
    if (typeof at !== "object" || at === null || Array.isArray(at)) return undefined;
    at = Object.hasOwn(at, step) ? (at as Record<string, unknown>)[step] : undefined;
  }
  return at;
}

export function text(value: Json, ...path: readonly string[]): string | null {
  const found = member(value, ...path);
  return typeof found === "string" ? found : null;
}

export function number(value: Json, ...path: readonly string[]): number | null {
  const found = member(value, ...path);
  return typeof found === "number" ? found : null;
}

export function list(value: Json, ...path: readonly string[]): readonly Json[] {
  const found = path.length === 0 ? value : member(value, ...path);
  return Array.isArray(found) ? found : [];
}

/** Equal JSON values give equal texts: members in the order of their names, no white space. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
    return `{${members.map(([name, inner]) => `${JSON.stringify(name)}:${canonical(inner)}`).join(",")}}`;
  }
  return JSON.stringify(value) ?? "null";
}

/**
 * A message object as it is compared with another of the same stamp: when it was read is told later than all else, and does not move the
 * feed (docs/behaviour.md#statuses-of-whatsapp).
 */
export function canonicalMessage(value: Json | undefined): string {
  const isObject = value !== null && typeof value === "object" && !Array.isArray(value);
  return canonical(isObject ? { ...value, read_at: null } : (value ?? null));
}
