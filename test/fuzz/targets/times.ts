import { ok, strictEqual } from "node:assert";
import { readTime } from "../../../src/admin/operations/parameters.ts";
import {
  isoInZone,
  isTimezone,
  isWithin,
  minuteOfDay,
  parseHours,
  readIsoTime,
  toInstant,
  toIsoWeek,
  toLocalDay,
} from "../../../src/core/calendar.ts";
import { isoToStampUs, stampToIso } from "../../../src/domain/messages/feed-stamps.ts";
import { readSchedule } from "../../../src/domain/submission/schedule.ts";
import { english } from "../../../src/i18n/text.ts";
import type { Dice } from "../dice.ts";
import { kindOf, textTarget } from "../target.ts";

const NOW_MS = Date.UTC(2026, 2, 2, 9);
const ZONES = [
  "Africa/Ouagadougou",
  "Europe/Paris",
  "America/New_York",
  "Asia/Kathmandu",
  "Pacific/Apia",
  "UTC",
];
const ODD_ZONES = [
  "Africa/El_Aaiun",
  "Antarctica/Troll",
  "Australia/Lord_Howe",
  "Etc/GMT+12",
  "Nowhere/Land",
  "+01:00",
  "",
];

/** An input is a time, a zone and permitted hours, each on a line. */
export const times = textTarget({
  name: "times",
  promise: "a time is read as the instant that it is or refused, and what we write of it reads back",
  words: [
    ...[
      "2026-03-02",
      "T",
      "t",
      " ",
      "Z",
      "z",
      "+00:00",
      "-00:00",
      "+0200",
      "+02",
      "+23:59",
      "+24:00",
      "09:30:00",
      "24:00",
    ],
    ...[
      "23:59:60",
      ".5",
      ",123456789",
      "2026-03-29T02:30",
      "2026-10-25T02:30",
      "2028-02-29",
      "0000-01-01",
      "9999-12-31",
    ],
    ...["-002026-01-01", "2026-W10-1", "08:00-20:00", "20:00-06:00", "\n", ...ZONES, ...ODD_ZONES],
  ],
  draw: drawn,
  longest: 256,
  run: (text) => {
    const [written = "", zone = "", hours = ""] = text.split("\n");
    const isZone = isTimezone(zone);
    const known = isZone ? zone : "Africa/Ouagadougou";
    const time = readIsoTime(written);
    const typed = readTime(written);
    strictEqual(typed.ok, time !== null);
    if (time !== null) agrees(written, time.wallMs - (time.offsetMs ?? 0), time.micros);
    if (typed.ok) inZone(typed.value.beginMs, known);
    const stamp = isoToStampUs(written);
    if (stamp !== null && Number.isSafeInteger(stamp)) strictEqual(isoToStampUs(stampToIso(stamp)), stamp);
    const schedule = readSchedule(written, zone === "" ? null : zone, "Africa/Ouagadougou", NOW_MS);
    if (schedule.ok) {
      const at = schedule.value.atMs ?? 0;
      ok(at > NOW_MS && at <= NOW_MS + 365 * 86_400_000);
    }
    const outcome = schedule.ok
      ? "scheduled"
      : kindOf(english(schedule.refusal.detail)).replace(/in \S+:/, "in zone:");
    const form =
      time === null
        ? "no time"
        : `${time.isDate ? "date" : "time"}${time.offsetMs === null ? "" : " with offset"}`;
    return `${form}, ${isZone ? "zone" : zone === "" ? "no zone" : "odd zone"}, ${outcome}, ${hoursOf(hours)}`;
  },
});

/** The runtime's own reading of what RFC 3339 has agrees, to the millisecond. */
function agrees(written: string, epochMs: number, micros: number): void {
  const strict = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?(Z|[+-]\d\d:\d\d)$/.exec(written.trim());
  if (strict) strictEqual(epochMs + Math.floor(micros / 1000), Date.parse(written.trim()));
  ok(micros >= 0 && micros < 1_000_000 && Number.isSafeInteger(epochMs));
}

function inZone(epochMs: number, zone: string): void {
  if (Math.abs(epochMs) > 8.64e15 - 8e8) return;
  const wholeMs = Math.floor(epochMs / 1000) * 1000;
  const shown = readIsoTime(isoInZone(epochMs, zone));
  // Zones once had offsets with seconds, which are written to the minute; years beyond 9999 have another form.
  if (epochMs >= Date.UTC(1973, 0) && epochMs < Date.UTC(9999, 11, 30)) {
    strictEqual(shown && shown.wallMs - (shown.offsetMs ?? 0), wholeMs);
  }
  const wall = toInstant(epochMs, zone);
  ok(wall === null || Math.abs(wall - epochMs) <= 27 * 3_600_000);
  const day = toLocalDay(epochMs, zone);
  const week = toIsoWeek(epochMs, zone);
  ok(day.startMs <= epochMs && epochMs < day.endMs && day.endMs - day.startMs <= 50 * 3_600_000);
  ok(week.startMs <= day.startMs && day.endMs <= week.endMs);
  const minute = minuteOfDay(epochMs, zone);
  ok(minute >= 0 || epochMs < 0);
  ok(minute < 1440);
}

function hoursOf(text: string): string {
  const hours = parseHours(text);
  if (hours === null) return "no hours";
  const open = Array.from({ length: 1440 }, (_, minute) => isWithin(hours, minute)).filter(Boolean).length;
  const length = hours.toMinute - hours.fromMinute;
  strictEqual(open, length > 0 ? length : length + 1440);
  return length > 0 ? "hours" : "hours over midnight";
}

function drawn({ below, pick }: Dice): string {
  const two = (limit: number) => String(below(limit)).padStart(2, "0");
  const date = `${pick(["2026", "2026", "2027", "1969", "0001", "9999"])}-${two(14)}-${two(33)}`;
  const fraction = pick(["", "", ".5", ",25", ".123456", ".9999999999"]);
  const time = pick([
    "",
    `T${two(25)}:${two(61)}`,
    `${pick(["T", " ", "t"])}${two(25)}:${two(61)}:${two(62)}${fraction}`,
  ]);
  const offset = pick(["", "Z", "z", `+${two(15)}:${two(60)}`, `-${two(15)}${two(60)}`, `+${two(25)}`]);
  return `${date}${time}${offset}\n${pick([...ZONES, ...ODD_ZONES])}\n${two(26)}:${two(61)}-${two(26)}:${two(61)}`;
}
