/** Who may stand on a suppression list, from commands and from what subscribers wrote. */
import { cloudOf } from "./cloud.ts";
import { preferencesOf, textsOf } from "./cloud-users.ts";
import type { ExpectedMessage } from "./expected.ts";
import type { History } from "./history.ts";
import { changeOpenAccount, type Period } from "./in-force.ts";
import { readNumber } from "./numbers.ts";
import { commandsNamed, once } from "./once.ts";
import { type Change, possible } from "./possible.ts";
import { wiresOf } from "./wires.ts";

/** Whether a number may have been suppressed for a message in a period: surely, surely not, or both. */
export function suppressedIn(history: History, message: ExpectedMessage, period: Period): readonly boolean[] {
  const { account, messageClass, msisdn } = message;
  const own = changes(
    history,
    message,
    (args) => args.ACCOUNT === account.name || args.ACCOUNT === account.accountId,
  );
  const everywhere = changes(history, message, (args) => args.everywhere !== undefined);
  const mayHaveWritten = messageClass === "MARKETING" && hasWritten(history, msisdn, period);
  const mayBeImported = commandsNamed(history, "suppression import").some(
    ({ args, wasDone, askedAtMs }) =>
      wasDone !== "no" &&
      askedAtMs <= period.toMs &&
      (args.FILE ?? "").replace(/\D/g, "").includes(msisdn.slice(-8)),
  );
  const one = possible(false, own, period.fromMs, period.toMs);
  const all = possible(false, everywhere, period.fromMs, period.toMs);
  const values = new Set(one.flatMap((a) => all.map((b) => a || b)));
  if (mayHaveWritten || mayBeImported) values.add(true);
  return [...values];
}

function changes(
  history: History,
  { messageClass, msisdn }: ExpectedMessage,
  isOf: (args: Readonly<Record<string, string>>) => boolean,
): readonly Change<boolean>[] {
  return commandsNamed(history, "suppression add", "suppression remove").flatMap((command) => {
    const { name, args, wasDone } = command;
    if (wasDone === "no" || !isOf(args)) return [];
    const named = (args.class ?? "").toUpperCase();
    const isThis = named === "ALL" || named === messageClass;
    if (!isThis || readNumber(args.MSISDN ?? "", "BF").msisdn !== msisdn) return [];
    return [changeOpenAccount(history, command, name === "suppression add")];
  });
}

/**
 * A text that came in from the number, which may be one that opts out, or a word of Meta that its user has stopped marketing: nobody knows
 * from when on it counts.
 */
export function hasWritten(history: History, msisdn: string, { toMs }: Period): boolean {
  const digits = msisdn.slice(1);
  const firstMs = Math.min(
    ...[firstWritten(history), firstStopped(history)].map((first) => first.get(digits) ?? Infinity),
  );
  return firstMs <= toMs;
}

/** The same of an SMS alone, at any time. */
export function hasWrittenBySms(history: History, msisdn: string): boolean {
  return firstWritten(history).has(msisdn.slice(1));
}

const STOPPED_MARKETING = 131050;

/** Whether Meta said of a post to a user, in digits, that he has stopped marketing. */
export function isToldByPosts(history: History, digits: string): boolean {
  return cloudOf(history).posts.some(
    ({ to, code, told }) =>
      to === digits && (code === STOPPED_MARKETING || told.some((each) => each.code === STOPPED_MARKETING)),
  );
}

const firstStopped = once((history) => {
  const first = new Map<string, number>();
  for (const { to, atMs, code, told } of cloudOf(history).posts) {
    const isSaid = code === STOPPED_MARKETING || told.some((each) => each.code === STOPPED_MARKETING);
    if (isSaid && !first.has(to)) first.set(to, atMs);
  }
  for (const { from, atMs } of [...textsOf(history), ...preferencesOf(history)]) {
    first.set(from, Math.min(first.get(from) ?? Infinity, atMs));
  }
  return first;
});

/** When the first text came in from each number. */
const firstWritten = once((history) => {
  const first = new Map<string, number>();
  for (const { pdu, writtenAtMs } of wiresOf(history).delivers) {
    if (pdu.pdu.kind !== "deliver_sm") continue;
    const from = pdu.pdu.text.source.replace(/^\+/, "");
    first.set(from, Math.min(first.get(from) ?? Infinity, writtenAtMs));
  }
  return first;
});
