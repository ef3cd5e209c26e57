/**
 * Knows the words by which recipients opt out, finds the accounts that an opt-out is meant for, and suppresses
 * MARKETING there (docs/behaviour.md#opt-outs).
 */
import type { Tx } from "../../db/writer.ts";
import { accountById, listAccounts } from "../accounts/accounts.ts";
import { recordAudit } from "../accounts/audit.ts";
import { accountsRegisteredWith, ownersOfSender } from "../accounts/senders.ts";
import { addSuppression, EVERYWHERE, removeSuppression } from "../accounts/suppressions.ts";
import { operatorFamily } from "../messages/operator-codes.ts";
import { hasSentMarketing, hasSentTo } from "../messages/recent-messages.ts";

/** A text in which a recipient opts out. */
type OptOut = {
  readonly operator: string;
  /** Who opts out, E.164 with "+". */
  readonly msisdn: string;
  /** Whom the text was addressed to: the address, in every form a sender may be named by. */
  readonly senders: readonly string[];
  /** The word that did it. */
  readonly word: string;
};

/** How far back an account's marketing makes it the one that is meant. */
const MEANT_FOR_MS = 30 * 86_400_000;

/**
 * Suppresses MARKETING, and nothing else, for whom the opt-out is meant (docs/behaviour.md#opt-outs): the accounts that
 * own the sender it was addressed to, those that have sent to the number before the others; where nobody owns it, every
 * account that sent MARKETING to the number through the operator, or one of its family, in the last 30 days; else
 * everywhere. What it was done for: the accounts' ids, or "everywhere".
 */
export function applyOptOut(tx: Tx, optOut: OptOut, nowMs: number): string[] {
  const meant = accountsMeant(tx, optOut, nowMs);
  const lists =
    meant.length > 0
      ? meant.map((id) => ({ id, name: accountById(tx, id)?.ulid ?? "" }))
      : [{ id: EVERYWHERE, name: "everywhere" }];
  const { msisdn, operator, word } = optOut;
  const note = `${word} to ${optOut.senders[0] ?? ""} through ${operator}`;
  for (const list of lists)
    stopMarketing(tx, list, { msisdn, operator, source: "KEYWORD", word, note }, nowMs);
  return lists.map(({ name }) => name);
}

/** What a recipient said through a number that speaks for its accounts, such as one of WhatsApp. */
type ChannelOptOut = Pick<OptOut, "operator" | "msisdn"> &
  (
    | { readonly source: "KEYWORD"; readonly word: string }
    /** Said in WhatsApp itself, and told by Meta. */
    | { readonly source: "META"; readonly word: null }
  );

/**
 * Suppresses MARKETING for the accounts that a stop told to a number is meant for (docs/behaviour.md#consent-of-whatsapp): their ids; none
 * where nobody has a sender there.
 */
export function applyChannelOptOut(tx: Tx, told: ChannelOptOut, nowMs: number): string[] {
  const { operator } = told;
  const meant = meantByNumber(tx, told, nowMs).map((id) => ({ id, name: accountById(tx, id)?.ulid ?? "" }));
  const note = `${told.word ?? "stopped in WhatsApp"} to ${operator}`;
  for (const list of meant) stopMarketing(tx, list, { ...told, note }, nowMs);
  return meant.map(({ name }) => name);
}

/** The accounts with a sender on a number that sent MARKETING by it to the recipient lately; where none did, all with a sender on it. */
function meantByNumber(
  tx: Tx,
  { operator, msisdn }: Pick<ChannelOptOut, "operator" | "msisdn">,
  nowMs: number,
): number[] {
  const all = accountsRegisteredWith(tx, operator);
  const family = operatorFamily(tx, operator);
  const sent = all.filter((id) => hasSentMarketing(tx, id, msisdn, family, nowMs - MEANT_FOR_MS));
  return sent.length > 0 ? sent : all;
}

/**
 * Lifts what Meta told of a recipient, and nothing else, for the accounts with a sender on a number; not for those that are meant by what
 * stands at others, `stoppedAt`.
 */
export function liftChannelOptOut(
  tx: Tx,
  { operator, msisdn, stoppedAt }: LiftedOptOut,
  nowMs: number,
): void {
  const kept = new Set(stoppedAt.flatMap((other) => meantByNumber(tx, { operator: other, msisdn }, nowMs)));
  for (const id of accountsRegisteredWith(tx, operator)) {
    if (kept.has(id)) continue;
    if (removeSuppression(tx, id, msisdn, "MARKETING", "META") === 0) continue;
    const detail = { msisdn, message_class: "MARKETING", source: "META", operator };
    const subject = accountById(tx, id)?.ulid ?? "";
    recordAudit(tx, { atMs: nowMs, actor: "recipient", action: "suppression remove", subject, detail });
  }
}

type LiftedOptOut = Pick<ChannelOptOut, "operator" | "msisdn"> & {
  /** Operator codes of other numbers at which the recipient has stopped, and not resumed. */
  readonly stoppedAt: readonly string[];
};

type Stop = Pick<OptOut, "operator" | "msisdn"> & {
  readonly source: "KEYWORD" | "META";
  readonly word: string | null;
  readonly note: string;
};

/** Puts a number on a list for MARKETING, with its entry in the audit list where that is new. */
function stopMarketing(
  tx: Tx,
  { id, name }: { readonly id: number; readonly name: string },
  { msisdn, operator, source, word, note }: Stop,
  nowMs: number,
): void {
  const wanted = { accountId: id, msisdn, messageClass: "MARKETING", source, note } as const;
  if (addSuppression(tx, wanted, nowMs) === 0) return;
  const detail = { msisdn, message_class: "MARKETING", source, ...(word === null ? {} : { word }), operator };
  recordAudit(tx, { atMs: nowMs, actor: "recipient", action: "suppression add", subject: name, detail });
}

function accountsMeant(tx: Tx, { operator, msisdn, senders }: OptOut, nowMs: number): number[] {
  const owners = ownersOfSender(tx, senders);
  if (owners.length > 0) {
    const known = owners.filter((id) => hasSentTo(tx, id, msisdn));
    return known.length > 0 ? known : owners;
  }
  const sinceMs = nowMs - MEANT_FOR_MS;
  const family = operatorFamily(tx, operator);
  return listAccounts(tx)
    .map(({ id }) => id)
    .filter((id) => hasSentMarketing(tx, id, msisdn, family, sinceMs));
}

/**
 * Words by which a recipient opts out (docs/behaviour.md#opt-outs): those that gateways and regulators ask for in
 * English and French, and their nearest French kin. Letters without accents, as the text is compared.
 */
const WORDS: ReadonlySet<string> = new Set([
  ...[
    "STOP",
    "STOPALL",
    "STOPSMS",
    "STOPPUB",
    "UNSUBSCRIBE",
    "OPTOUT",
    "END",
    "QUIT",
    "CANCEL",
    "REVOKE",
    "REMOVE",
  ],
  ...["ARRET", "ARRETER", "ARRETE", "ARRETEZ", "DESABONNER", "DESABONNE", "DESABONNEZ", "DESABONNEMENT"],
  ...["DESINSCRIRE", "DESINSCRIS", "DESINSCRIVEZ", "DESINSCRIPTION", "SUPPRIMER"],
]);

/** Of these no program calls anything else. */
const SURE = /^(STOP|UNSUBSCRIBE|OPTOUT|DESABONN|DESINSCRI)/;

/** A longer text is a sentence, in which the word may mean anything: "Stop à la vente ambulante". */
const MAX_WORDS = 3;

/** The word by which a text opts out, in capitals; null when it does not. Case, accents and punctuation make no difference. */
export function optOutWord(text: string): string | null {
  const words = wordsOf(text);
  const [first] = words;
  return first !== undefined && words.length <= MAX_WORDS && WORDS.has(first) ? first : null;
}

/**
 * The word by which the id of a button opts out, as its maker named it: "STOP", "stop_promo", "OPT-OUT"; null when it does not. Of several
 * words the first must be unmistakable: CANCEL_ORDER cancels an order.
 */
export function optOutId(id: string): string | null {
  const words = wordsOf(id.replaceAll("_", " "));
  const word = optOutWord(words.join(" "));
  return word !== null && (words.length === 1 || SURE.test(word)) ? word : null;
}

function wordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/\bOPT[\s-]+OUT\b/, "OPTOUT")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
