/** What files are called that people take away: whose they are, and of when, for a folder that has many. */
const MAX_SLUG_LENGTH = 40;

/** A text as part of a file's name: small letters, digits and hyphens; "" where nothing of it is left. */
export function toSlug(text: string): string {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const joined = plain.replaceAll(/[^a-z0-9]+/g, "-").slice(0, MAX_SLUG_LENGTH);
  return joined.replaceAll(/^-+|-+$/g, "");
}

type Named = { readonly ulid: string; readonly name: string; readonly shortName: string | null };

/** An account as part of a file's name: by its short name, or else its name; one in letters that no file has by its id. */
export function toAccountSlug({ ulid, name, shortName }: Named): string {
  return toSlug(shortName ?? "") || toSlug(name) || ulid;
}
