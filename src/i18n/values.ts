/** How values stand in texts: for people in the way of their language and zone, for scripts and terminals as they are. */
import type { Reader, Values } from "./phrase.ts";

const LOCALES = { en: "en-GB", fr: "fr-FR" } as const;
const MEBIBYTE = 1_048_576;
const UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

export const VALUES: Values = {
  instant: ({ locale, timeZone }, epochMs) =>
    timeZone === null
      ? new Date(epochMs).toISOString()
      : new Intl.DateTimeFormat(LOCALES[locale], {
          timeZone,
          dateStyle: "medium",
          timeStyle: "short",
        }).format(new Date(epochMs)),
  bytes: (reader, octets) =>
    reader.timeZone === null
      ? `${Math.floor(octets / MEBIBYTE)} ${reader.locale === "fr" ? "Mo" : "MB"}`
      : wholeUnits(reader, octets),
  money: (reader, xof) => {
    if (reader.timeZone === null) return `${xof} XOF`;
    return reader.locale === "fr"
      ? `${grouped(reader, xof)}\u00a0F\u00a0CFA`
      : `${grouped(reader, xof)}\u00a0XOF`;
  },
  number: (reader, value) => (reader.timeZone === null ? String(value) : grouped(reader, value)),
};

function grouped({ locale }: Reader, value: number): string {
  return new Intl.NumberFormat(LOCALES[locale], { maximumFractionDigits: 0 }).format(value);
}

/** Octets in the unit that fits, gigabytes and more with a decimal. */
function wholeUnits({ locale }: Reader, octets: number): string {
  const power = Math.min(4, Math.max(0, Math.floor(Math.log(Math.max(1, octets)) / Math.log(1000))));
  return new Intl.NumberFormat(LOCALES[locale], {
    style: "unit",
    unit: UNITS[power] ?? "byte",
    unitDisplay: "short",
    maximumFractionDigits: power < 3 ? 0 : 1,
  }).format(octets / 1000 ** power);
}
