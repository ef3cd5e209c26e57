/** Stops that users told numbers of WhatsApp, and which accounts each is meant for (docs/behaviour.md#consent-of-whatsapp). */
import type { Account } from "./accounts.ts";
import { cloudMessages, cloudOf } from "./cloud.ts";
import { preferencesOf, textsOf, type UserPreference } from "./cloud-users.ts";
import { finalStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { type Period, settingsIn } from "./in-force.ts";
import { isAnyKnown } from "./number-routes.ts";
import { readNumber } from "./numbers.ts";
import { commandsNamed, once } from "./once.ts";

/** A stop that was taken. `source`: as lists of suppressed numbers name it. */
export type StopTold = {
  readonly source: "KEYWORD" | "META";
  /** Digits of the user. */
  readonly from: string;
  readonly phone: string;
  readonly words: string;
  readonly atMs: number;
  readonly takenAtMs: number;
  /** When the user may have taken it back, or somebody else have done so. */
  readonly liftedAtMs: number;
  /** Accounts that are surely meant, and those that surely are not. */
  readonly meant: ReadonlySet<Account>;
  readonly others: ReadonlySet<Account>;
};

/** Every stop that a call brought which was answered with 200. */
export const stopsTold = once((history): readonly StopTold[] => [
  ...textsOf(history).flatMap(({ from, phone, text, atMs, takenAtMs }): readonly StopTold[] => {
    if (takenAtMs === null || !isStop(text)) return [];
    const about = { from, phone, atMs, takenAtMs };
    const liftedAtMs = removedAtMs(history, from, atMs);
    return [{ ...about, source: "KEYWORD", words: text, liftedAtMs, ...meantBy(history, about) }];
  }),
  ...preferencesOf(history).flatMap((said): readonly StopTold[] => {
    const { from, phone, atMs, takenAtMs } = said;
    if (takenAtMs === null || !said.isStop || isOld(history, said)) return [];
    const about = { from, phone, atMs, takenAtMs };
    const liftedAtMs = Math.min(removedAtMs(history, from, atMs), resumedAtMs(history, said));
    return [{ ...about, source: "META", words: "stop", liftedAtMs, ...meantBy(history, about) }];
  }),
]);

const STOP_WORDS: readonly string[] = ["STOP", "ARRET", "DESABONNER", "UNSUBSCRIBE"];
const MAX_WORDS = 3;

/** The first word of a text of at most three, without regard to case, accents and punctuation. */
export function isStop(text: string): boolean {
  const words = text
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toUpperCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  return words.length <= MAX_WORDS && STOP_WORDS.includes(words[0] ?? "");
}

/** Something newer may have been told before, which counts. */
function isOld(history: History, { from, phone, saidAt, takenAtMs }: UserPreference): boolean {
  return preferencesOf(history).some(
    (other) =>
      other.from === from && other.phone === phone && other.saidAt > saidAt && other.atMs <= (takenAtMs ?? 0),
  );
}

function resumedAtMs(history: History, { from, phone, saidAt }: UserPreference): number {
  const resumes = preferencesOf(history).filter(
    (other) => other.from === from && other.phone === phone && !other.isStop && other.saidAt > saidAt,
  );
  return Math.min(Infinity, ...resumes.map(({ atMs }) => atMs));
}

function removedAtMs(history: History, from: string, fromMs: number): number {
  const removes = commandsNamed(history, "suppression remove").filter(
    ({ args, wasDone, endedAtMs }) =>
      wasDone !== "no" &&
      (endedAtMs ?? Infinity) >= fromMs &&
      readNumber(args.MSISDN ?? "", "BF").msisdn === `+${from}`,
  );
  return Math.min(Infinity, ...removes.map(({ askedAtMs }) => askedAtMs));
}

type About = Pick<StopTold, "from" | "phone" | "atMs" | "takenAtMs">;

/** Those with a sender on the number that sent MARKETING by it to the user; where none did, all with a sender on it. */
function meantBy(
  history: History,
  { from, phone, atMs, takenAtMs }: About,
): Pick<StopTold, "meant" | "others"> {
  const period: Period = { fromMs: atMs, toMs: takenAtMs };
  const codes = new Set(
    settingsIn(history, period).flatMap(({ numbers }) =>
      numbers.flatMap((each) => (each.phone === phone ? [each.code] : [])),
    ),
  );
  const accounts = [...history.accounts.values()];
  const known = (account: Account) =>
    codes.size === 0
      ? [false]
      : [...new Set([...codes].flatMap((code) => isAnyKnown(history, account, code, period)))];
  const sent = new Map(
    accounts.map((account) => [account, hasSent(history, account, { from, phone, atMs, takenAtMs })]),
  );
  const surely = (may: readonly boolean[] | undefined, is: boolean) =>
    may?.every((each) => each === is) === true;
  const hasAnySent = accounts.some((each) => surely(known(each), true) && surely(sent.get(each), true));
  // Whoever has not sent is meant all the same where no other has.
  const mayOtherHaveSent = (account: Account) =>
    accounts.some(
      (each) => each !== account && !surely(known(each), false) && !surely(sent.get(each), false),
    );
  const meant = accounts.filter(
    (each) => surely(known(each), true) && (surely(sent.get(each), true) || !mayOtherHaveSent(each)),
  );
  const others = accounts.filter(
    (each) => surely(known(each), false) || (hasAnySent && surely(sent.get(each), false)),
  );
  return { meant: new Set(meant), others: new Set(others) };
}

/** What was posted so shortly before may have been claimed after. */
const CLAIMED_MS = 2_000;

/** Whether an account may have sent MARKETING to a user by a number before a stop. */
function hasSent(
  history: History,
  account: Account,
  { from, phone, atMs, takenAtMs }: About,
): readonly boolean[] {
  const own = marketingTo(history).get(`${account.name} ${from}`) ?? [];
  const isSure = own.some(
    (each) => each.isSent && each.posts.some((post) => post.phone === phone && post.atMs + CLAIMED_MS < atMs),
  );
  if (isSure) return [true];
  return own.some(({ acceptedFromMs }) => acceptedFromMs <= takenAtMs) ? [true, false] : [false];
}

/** MARKETING that was accepted for each account and user, or may have been, with its posts, and whether it got anywhere. */
const marketingTo = once((history) => {
  const { byMessage } = cloudOf(history);
  const all = cloudMessages(history).flatMap(({ batch, message }) => {
    if (message.messageClass !== "MARKETING") return [];
    const state = finalStateOf(history, message);
    const posts = state === null ? [] : (byMessage.get(state.messageId) ?? []);
    const key = `${message.account.name} ${message.msisdn.slice(1)}`;
    const isSent = state?.status === "DELIVERED" || state?.status === "SENT";
    return [{ key, acceptedFromMs: batch.acceptedFromMs, posts, isSent }];
  });
  return Map.groupBy(all, ({ key }) => key);
});
