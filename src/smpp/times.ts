/** Times as SMPP 3.4 section 7.1.1 writes them, `YYMMDDhhmmsstnnp`: read, and written in UTC. Pure. */

const FORM = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d(\d\d)([+\-R])$/;
const QUARTER_MS = 900_000;
/** The largest offset from UTC, in quarters of an hour. */
const MAX_QUARTERS = 48;

/** Reads a time as epoch milliseconds; null when invalid. With `R` it is relative to now, else local with an offset in quarter-hours. */
export function readSmppTime(text: string, nowMs: number): number | null {
  const [, ...parts] = FORM.exec(text) ?? [];
  if (parts.length === 0) return null;
  const [years = 0, months = 0, days = 0, hours = 0, minutes = 0, seconds = 0, quarters = 0] =
    parts.map(Number);
  const sign = parts[7];
  if (sign === "R") {
    const now = new Date(nowMs);
    now.setUTCFullYear(now.getUTCFullYear() + years, now.getUTCMonth() + months, now.getUTCDate() + days);
    return now.getTime() + ((hours * 60 + minutes) * 60 + seconds) * 1000;
  }
  const local = Date.UTC(2000 + years, months - 1, days, hours, minutes, seconds);
  const isDate = new Date(local).toISOString().slice(2, 19).replace(/\D/g, "") === text.slice(0, 12);
  if (!isDate || quarters > MAX_QUARTERS) return null;
  return local - (sign === "-" ? -quarters : quarters) * QUARTER_MS;
}

/** A time in UTC, as final_date of a query_sm_resp has it (SMPP 3.4 section 4.8.2). */
export function writeAbsoluteTime(atMs: number): string {
  return `${digitsOf(atMs, 14).slice(2)}000+`;
}

/** A date of a delivery receipt, `YYMMDDhhmm` (SMPP 3.4 Appendix B), in UTC. */
export function writeReceiptDate(atMs: number): string {
  return digitsOf(atMs, 12).slice(2);
}

function digitsOf(atMs: number, most: number): string {
  return new Date(atMs).toISOString().replace(/\D/g, "").slice(0, most);
}
