import { isItemList } from "../../core/item-list.ts";

/**
 * SHA-256 of a JSON value in a canonical form: equal values have equal digests, whatever the order of their keys,
 * their white space or the writing of their numbers (docs/behaviour.md#idempotency).
 */
export function jsonDigest(value: unknown, told: ToldItem = () => {}): Uint8Array {
  const hasher = new Bun.CryptoHasher("sha256");
  for (const piece of canonicalPieces(value, told)) hasher.update(piece);
  return hasher.digest();
}

/** Told each item of a list that stands directly in the value, with the name of the list. */
type ToldItem = (name: string, item: unknown) => void;

/** How much text is gathered before it is hashed. */
const PIECE_LENGTH = 32_768;

/** The canonical text of a value, cut between the items of a long array that stands directly in it. */
function* canonicalPieces(value: unknown, told: ToldItem): Generator<string> {
  if (!isObject(value)) {
    yield canonical(value);
    return;
  }
  let text = "{";
  for (const name of Object.keys(value).sort()) {
    text += `${JSON.stringify(name)}:`;
    const member = value[name];
    if (isItemList(member)) {
      text += "[";
      for (const item of member) {
        told(name, item);
        text += `${canonical(item)},`;
        if (text.length < PIECE_LENGTH) continue;
        yield text;
        text = "";
      }
      text += "],";
    } else {
      text += `${canonical(member)},`;
    }
  }
  yield `${text}}`;
}

/** A text that two values share only if they are equal. It need not be JSON: every item is followed by a comma. */
function canonical(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(value);
  if (Array.isArray(value)) {
    let items = "[";
    for (const item of value) items += `${canonical(item)},`;
    return `${items}]`;
  }
  // String() tells an overflowed 1e999 from null; -0 and 0 are equal.
  if (!isObject(value)) return String(value);
  let members = "{";
  for (const name of Object.keys(value).sort())
    members += `${JSON.stringify(name)}:${canonical(value[name])},`;
  return `${members}}`;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
