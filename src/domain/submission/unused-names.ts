/** Attributes of a recipient that no tag asks for. */

import { type Template, attributeReader } from "../../text/template.ts";
import type { RequestRecipient } from "./request-recipients.ts";

/** Of a recipient so many are looked at, and of names so many UTF-16 units at most: they only help to find a slip. */
const MAX_NAMES = 20;
export const MAX_NAME_LENGTH = 64;

/** The tags that a recipient has no value for: no such attribute, or null. */
export function missingTags(
  { tags }: Template,
  attributes: RequestRecipient["attributes"],
): readonly string[] {
  if (attributes === null) return tags;
  const valueFor = attributeReader(attributes);
  return tags.filter((tag) => (valueFor(tag) ?? null) === null);
}

/** The names among a recipient's attributes that no tag has, as they are written. */
export function unusedNames(
  { tags }: Template,
  { attributes, others = [] }: RequestRecipient,
): readonly string[] {
  const asked = new Set(tags.map((tag) => tag.normalize("NFC")));
  const found = new Set(others);
  for (const name in attributes) {
    if (found.size >= MAX_NAMES) break;
    if (name.length <= MAX_NAME_LENGTH && name !== "" && !asked.has(name.normalize("NFC"))) found.add(name);
  }
  return [...found];
}
