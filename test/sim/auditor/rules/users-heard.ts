/** What users of WhatsApp wrote and said is kept, once, and the newest that they said of marketing counts. */
import { cloudOf } from "../cloud.ts";
import { preferencesOf, textsOf, type UserPreference } from "../cloud-users.ts";
import { type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { list, text } from "../json.ts";
import { commandsNamed } from "../once.ts";
import { stopsTold } from "../stops-told.ts";

const kept = finder(
  "texts-kept",
  "What a user writes to a number of WhatsApp is durable before its call is answered with 200, and is kept once, however often Meta calls.",
);
const newest = finder(
  "preferences-kept",
  "Of what a user said of marketing in WhatsApp the newest counts, in whatever order it is told: a stop suppresses, a resume lifts that.",
);

export const usersHeard: Rule = (history) => [...texts(history), ...preferences(history)];

function texts(history: History): readonly Finding[] {
  const told = textsOf(history).filter(({ phone }) => isOurs(history, phone));
  const last = lastAtRest(history, "inbound list");
  if (last === null || text(last, "next_before") !== null) return [];
  const rows = list(last, "texts").filter((row) => (text(row, "operator") ?? "").startsWith("whatsapp:"));
  const keyOf = (from: string, words: string) => `+${from.replace(/^\+/, "")} ${words}`;
  const known = Map.groupBy(rows, (row) => keyOf(text(row, "from") ?? "", text(row, "text") ?? ""));
  const called = Map.groupBy(told, (each) => keyOf(each.from, each.text));
  const wrong = [...called].flatMap(([key, each]) => {
    const count = known.get(key)?.length ?? 0;
    const least = each.filter(({ takenAtMs }) => takenAtMs !== null).length;
    if (count >= least && count <= each.length) return [];
    const what = `${key}: Meta told of ${each.length}, ${least} of them were answered with 200, and ${count} are listed`;
    return [kept(each.at(-1)?.atMs ?? 0, what)];
  });
  const strange = [...known.keys()].filter((key) => !called.has(key));
  return [...wrong, ...strange.map((key) => kept(history.endAtMs, `${key} is listed, and nobody wrote it`))];
}

/** The data of the last answer to a command that was asked at rest. */
function lastAtRest(history: History, name: string) {
  const { restAtMs } = history;
  const found = commandsNamed(history, name).findLast(
    ({ outcome, askedAtMs }) => outcome?.ok && restAtMs !== null && askedAtMs >= restAtMs,
  );
  return found?.outcome?.ok ? found.outcome.data : null;
}

function preferences(history: History): readonly Finding[] {
  const lists = commandsNamed(history, "suppression list").filter(
    ({ outcome, askedAtMs }) => outcome?.ok && history.restAtMs !== null && askedAtMs >= history.restAtMs,
  );
  const isWhole = lists.every(({ outcome }) => outcome?.ok && text(outcome.data, "next_after") === null);
  if (lists.length === 0 || !isWhole) return [];
  const rows = lists.flatMap(({ outcome }) => list(outcome?.ok ? outcome.data : null, "suppressions"));
  const stops = new Set(
    rows.flatMap((row) => (text(row, "source") === "META" ? [text(row, "msisdn") ?? ""] : [])),
  );
  return [...Map.groupBy(preferencesOf(history), ({ from }) => from)].flatMap(([from, all]) => {
    const said = all.filter(({ phone }) => isOurs(history, phone));
    // What is said to one number takes nothing back that was said to another.
    const lasts = [...Map.groupBy(said, ({ phone }) => phone).values()].map(newestOf);
    const last = lasts.find((each) => each?.isStop) ?? lasts[0] ?? null;
    if (last === null || lasts.includes(null) || isOtherwiseMoved(history, from)) return [];
    const isStopped = stops.has(`+${from}`);
    if (isStopped === last.isStop || (last.isStop && mayConcernNobody(history, last))) return [];
    const what = `+${from} said ${said.map(({ isStop, saidAt }) => `${isStop ? "stop" : "resume"} (${saidAt})`).join(", ")}, and is ${isStopped ? "" : "not "}suppressed by Meta`;
    return [newest(last.atMs, what)];
  });
}

/** Null where not all of it was taken. Of one second the stop counts. */
function newestOf(said: readonly UserPreference[]): UserPreference | null {
  if (said.some(({ takenAtMs }) => takenAtMs === null)) return null;
  const inOrder = said.toSorted(
    (one, other) => one.saidAt - other.saidAt || Number(one.isStop) - Number(other.isStop),
  );
  return inOrder.at(-1) ?? null;
}

/** A stop is of the accounts that have a sender with the number. */
function mayConcernNobody(history: History, { phone, atMs, takenAtMs }: UserPreference): boolean {
  const stop = stopsTold(history).find((each) => each.phone === phone && each.atMs === atMs);
  return stop === undefined || stop.meant.size === 0 || takenAtMs === null;
}

/** Whether a number was ever ours: what is told of another is kept nowhere. */
function isOurs({ settings }: History, phone: string): boolean {
  return settings.some(({ numbers }) => numbers.some((each) => each.phone === phone));
}

const STOPPED_MARKETING = 131050;

/** Meta said the same of a post, or somebody took the number off a list. */
function isOtherwiseMoved(history: History, from: string): boolean {
  const bySaid = cloudOf(history).posts.some(
    ({ to, code, told }) =>
      to === from && (code === STOPPED_MARKETING || told.some((each) => each.code === STOPPED_MARKETING)),
  );
  const byCommand = commandsNamed(history, "suppression remove").some(({ args }) =>
    (args.MSISDN ?? "").replace(/\D/g, "").endsWith(from.slice(-8)),
  );
  return bySaid || byCommand;
}
