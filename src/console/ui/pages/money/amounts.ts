/** Francs and ceilings as people type them. Pure. */

/** Whole francs, typed with or without blanks between the digits; null where it is something else. */
export function parseFrancs(text: string): number | null {
  const plain = text.replaceAll(/[\s\u00A0\u202F]/g, "").replace("\u2212", "-");
  return /^-?\d{1,13}$/.test(plain) ? Number(plain) : null;
}

/** What was typed into a field that may stay empty: null is empty, undefined is no number. */
export function parseOptionalFrancs(text: string): number | null | undefined {
  return text.trim() === "" ? null : (parseFrancs(text) ?? undefined);
}

/** A month such as 2026-03, or 03/2026 as it is written in French, as the first of it and of the one after it; null where it is none. */
export function monthSpan(text: string): { readonly from: string; readonly to: string } | null {
  const found = /^(\d{4})-(0[1-9]|1[0-2])$/.exec(text.trim().replace(/^(\d{1,2})\/(\d{4})$/, isoMonth));
  if (!found) return null;
  const [year, month] = [Number(found[1]), Number(found[2])];
  const [nextYear, nextMonth] = month === 12 ? [year + 1, 1] : [year, month + 1];
  const first = (ofYear: number, ofMonth: number) =>
    `${ofYear}-${String(ofMonth).padStart(2, "0")}-01T00:00:00Z`;
  return { from: first(year, month), to: first(nextYear, nextMonth) };
}

/** The last day before an instant that is a midnight in UTC. */
export function readPreviousDay(midnight: string): string {
  return new Date(Date.parse(midnight) - 1).toISOString().slice(0, "2026-03-01".length);
}

function isoMonth(_: string, month: string, year: string): string {
  return `${year}-${month.padStart(2, "0")}`;
}
