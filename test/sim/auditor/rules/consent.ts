/** Who has said STOP to a number of WhatsApp gets no more marketing of the accounts that are meant, by any way, until that is lifted. */
import type { Account } from "../accounts.ts";
import { cloudMessages, postsFor } from "../cloud.ts";
import { preferencesOf, textsOf } from "../cloud-users.ts";
import type { ExpectedBatch, ExpectedMessage } from "../expected.ts";
import { at, type Finding, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { joinsOf } from "../joins.ts";
import { list, text } from "../json.ts";
import { readNumber } from "../numbers.ts";
import { commandsNamed, once } from "../once.ts";
import { isStop, type StopTold, stopsTold } from "../stops-told.ts";
import { hasWrittenBySms, isToldByPosts } from "../suppressed.ts";
import { wasClaimedAfter } from "./called-off.ts";

const stopped = finder(
  "consent-stopped",
  "Marketing that is claimed or accepted after a stop became durable never goes to that user for the accounts that are meant.",
);
const apart = finder(
  "consent-apart",
  "What the user wrote, what Meta told and what an administrator said stand apart: resume lifts Meta's only, and a stop is for the accounts of its number.",
);

/** What was claimed before may still be on its way. */
const CLAIMED_MS = 10_000;
/** From the durable stop to the 200 that its caller saw, and the way of a request. */
const SLACK_MS = 2_000;

export const consent: Rule = (history) => {
  const stops = stopsTold(history);
  return [...sentAnyway(history, stops), ...keptApart(history, stops)];
};

function sentAnyway(history: History, stops: readonly StopTold[]): readonly Finding[] {
  if (stops.length === 0) return [];
  const stopsOf = (account: Account, msisdn: string) =>
    stops.filter((stop) => `+${stop.from}` === msisdn && stop.meant.has(account));
  const posts = cloudMessages(history).flatMap((each) => posted(history, each, stopsOf));
  const texts = joinsOf(history).groups.flatMap((group): readonly Finding[] => {
    const [only] = group.messages;
    if (!only || group.messages.length > 1 || only.message.messageClass !== "MARKETING") return [];
    return stopsOf(only.message.account, only.message.msisdn).flatMap((stop) => {
      const first = wasClaimedAfter(history, group, stop.takenAtMs + CLAIMED_MS);
      if (first === null || first.writtenAtMs >= stop.liftedAtMs) return [];
      return [tell(stop, only.message, `left as an SMS at ${at(first.writtenAtMs)}`, first.writtenAtMs)];
    });
  });
  const taken = history.batches.flatMap((batch) =>
    batch.messages.flatMap((message) => accepted(batch, message, stopsOf)),
  );
  return [...posts, ...texts, ...taken];
}

type StopsOf = (account: Account, msisdn: string) => readonly StopTold[];

function posted(
  history: History,
  { message }: { readonly message: ExpectedMessage },
  stopsOf: StopsOf,
): readonly Finding[] {
  if (message.messageClass !== "MARKETING") return [];
  return stopsOf(message.account, message.msisdn).flatMap((stop) => {
    const late = postsFor(history, message)?.find(
      ({ atMs }) => atMs > stop.takenAtMs + CLAIMED_MS && atMs < stop.liftedAtMs,
    );
    return late ? [tell(stop, message, `was posted at ${at(late.atMs)}`, late.atMs)] : [];
  });
}

function accepted(batch: ExpectedBatch, message: ExpectedMessage, stopsOf: StopsOf): readonly Finding[] {
  if (batch.batchId === null || batch.acknowledged === null || message.messageClass !== "MARKETING")
    return [];
  if (batch.rejections === null) return [];
  return stopsOf(message.account, message.msisdn).flatMap((stop) => {
    const isAfter = batch.acceptedFromMs > stop.takenAtMs + SLACK_MS && batch.acceptedToMs < stop.liftedAtMs;
    return isAfter
      ? [tell(stop, message, `was accepted at ${at(batch.acceptedToMs)}`, batch.acceptedToMs)]
      : [];
  });
}

function tell(stop: StopTold, message: ExpectedMessage, what: string, atMs: number): Finding {
  const { account, msisdn, batchId, index } = message;
  const words = `${msisdn} said ${JSON.stringify(stop.words)} to ${stop.phone}, which was taken at ${at(stop.takenAtMs)}, and marketing of ${account.name} (batch ${batchId}, place ${index}) ${what}`;
  return stopped(atMs, words, batchId ?? "");
}

type Row = { readonly msisdn: string; readonly source: string };

/** The MARKETING rows of each account's list at rest; null where it was not shown whole. */
const listsAtRest = once((history): ReadonlyMap<Account, readonly Row[] | null> => {
  const { restAtMs } = history;
  const asked = commandsNamed(history, "suppression list").filter(
    ({ outcome, askedAtMs }) => outcome?.ok && restAtMs !== null && askedAtMs >= restAtMs,
  );
  return new Map(
    [...history.accounts.values()].map((account) => {
      const last = asked.findLast(
        ({ args }) => args.ACCOUNT === account.name || args.ACCOUNT === account.accountId,
      );
      const data = last?.outcome?.ok ? last.outcome.data : null;
      if (data === null || text(data, "next_after") !== null) return [account, null];
      const rows = list(data, "suppressions").filter((row) => text(row, "message_class") === "MARKETING");
      return [
        account,
        rows.map((row) => ({ msisdn: text(row, "msisdn") ?? "", source: text(row, "source") ?? "" })),
      ];
    }),
  );
});

function keptApart(history: History, stops: readonly StopTold[]): readonly Finding[] {
  return [...listsAtRest(history)].flatMap(([account, rows]) =>
    rows === null
      ? []
      : [
          ...ownWords(history, account, rows, stops),
          ...administrators(history, account, rows),
          ...strangers(history, account, rows, stops),
        ],
  );
}

function has(rows: readonly Row[], from: string, ...sources: readonly string[]): boolean {
  return rows.some(({ msisdn, source }) => msisdn === `+${from}` && sources.includes(source));
}

/** What the user wrote stays, whatever else was said. */
function ownWords(
  history: History,
  account: Account,
  rows: readonly Row[],
  stops: readonly StopTold[],
): readonly Finding[] {
  return stops.flatMap(({ source, from, phone, words, meant, takenAtMs, liftedAtMs }) => {
    const isDue = source === "KEYWORD" && meant.has(account) && liftedAtMs === Infinity;
    if (!isDue || has(rows, from, "KEYWORD")) return [];
    const what = `+${from} wrote ${JSON.stringify(words)} to ${phone}, which was taken at ${at(takenAtMs)}, and the list of ${account.name} has it no more at rest`;
    return [apart(history.endAtMs, what, account.accountId)];
  });
}

/** What an administrator said stays until an administrator takes it back. */
function administrators(history: History, account: Account, rows: readonly Row[]): readonly Finding[] {
  const numberOf = (args: Readonly<Record<string, string>>) => readNumber(args.MSISDN ?? "", "BF").msisdn;
  const isOwn = ({ args }: { readonly args: Readonly<Record<string, string>> }) =>
    args.ACCOUNT === account.name || args.ACCOUNT === account.accountId;
  const removes = commandsNamed(history, "suppression remove").filter(({ wasDone }) => wasDone !== "no");
  return commandsNamed(history, "suppression add").flatMap((command) => {
    const { args, wasDone, askedAtMs, endedAtMs } = command;
    const msisdn = numberOf(args);
    const isMarketing = ["MARKETING", "ALL"].includes((args.class ?? "").toUpperCase());
    if (wasDone !== "yes" || !isOwn(command) || !isMarketing || msisdn === null) return [];
    if (removes.some((each) => numberOf(each.args) === msisdn && (each.endedAtMs ?? Infinity) >= askedAtMs))
      return [];
    const from = msisdn.slice(1);
    // To what stands there already but Meta's an administrator adds nothing.
    if (has(rows, from, "ADMIN", "KEYWORD", "IMPORT")) return [];
    const what = `${msisdn} was put on the list of ${account.name} at ${at(endedAtMs ?? askedAtMs)} by an administrator, and does not stand there so at rest`;
    return [apart(history.endAtMs, what, account.accountId, `command ${command.id}`)];
  });
}

/** Nobody is put on the list of an account that was surely not meant. */
function strangers(
  history: History,
  account: Account,
  rows: readonly Row[],
  stops: readonly StopTold[],
): readonly Finding[] {
  return [...Map.groupBy(stops, ({ from }) => from)].flatMap(([from, all]) => {
    if (!has(rows, from, "KEYWORD", "META") || hasWrittenBySms(history, `+${from}`)) return [];
    if (!all.every(({ others }) => others.has(account)) || mayBeStoppedElse(history, from, all)) return [];
    const what = `+${from} said STOP to ${all.map(({ phone }) => phone).join(", ")}, which does not concern ${account.name}, whose list has it`;
    return [apart(history.endAtMs, what, account.accountId)];
  });
}

/** Meta may have said so of a post, or a stop was told that may have been taken or not. */
function mayBeStoppedElse(history: History, from: string, known: readonly StopTold[]): boolean {
  const told = [
    ...textsOf(history).filter((each) => isStop(each.text)),
    ...preferencesOf(history).filter((each) => each.isStop),
  ].filter((each) => each.from === from);
  return told.length > known.length || isToldByPosts(history, from);
}
