/** A heading of a file as the name that its column fills in: `Prénom client` is that of `{Prénom_client}`. */
export function toTagName(heading: string): string {
  return heading.normalize("NFC").replaceAll(/\s+/g, "_");
}
