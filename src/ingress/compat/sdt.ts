/** When a text is to be sent, as SMPP 3.4 section 7.1.1 writes it and clients of Jasmin do: `YYMMDDhhmmsstnnp`. Pure. */

const FORM = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)\d(\d\d)([+\-R])$/;
const QUARTER_MS = 900_000;
/** How many quarters of an hour a place may be from UTC. */
const MAX_QUARTERS = 48;

/** Epoch milliseconds; null for what is no instant. With `R` it is a time from now, else that of a place so many quarters from UTC. */
export function readScheduleTime(text: string, nowMs: number): number | null {
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
