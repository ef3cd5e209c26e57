const DAY_FIRST = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?:,?\s+(?:à\s+)?(\d{1,2})(?::|\s?h\s?)(\d\d)?)?$/u;

/**
 * A date as people here write it, the day first (`22/11/2026`, `22/11/2026 9:30`, `22/11/2026 à 9 h`), in ISO 8601; any other text as it is. Whether
 * there is such a day is for whoever reads that.
 */
export function toIsoDate(text: string): string {
  const found = DAY_FIRST.exec(text.trim());
  if (!found) return text;
  const [, day = "", month = "", year = "", hour, minute = "00"] = found;
  const date = `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
  return hour === undefined ? date : `${date}T${hour.padStart(2, "0")}:${minute}`;
}
