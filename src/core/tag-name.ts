/** The tag name of a column's heading: `Prénom client` is that of `{Prénom_client}`. */
export function toTagName(heading: string): string {
  return heading.normalize("NFC").replaceAll(/\s+/g, "_");
}
