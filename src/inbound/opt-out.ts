import { accountById, listAccounts } from "../accounts/accounts.ts";
import { recordAudit } from "../accounts/audit.ts";
import { ownersOfSender } from "../accounts/senders.ts";
import { addSuppression, EVERYWHERE } from "../accounts/suppressions.ts";
import { familyOf } from "../messages/operator-family.ts";
import { hasSentMarketing, hasSentTo } from "../messages/recent-sends.ts";
import type { Tx } from "../store/write.ts";

/** A text in which a recipient opts out. */
export type OptOut = {
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
  const { msisdn, operator, word } = optOut;
  const meant = accountsMeant(tx, optOut, nowMs);
  const lists =
    meant.length > 0
      ? meant.map((id) => ({ id, name: accountById(tx, id)?.ulid ?? "" }))
      : [{ id: EVERYWHERE, name: "everywhere" }];
  for (const { id, name } of lists) {
    const note = `${word} to ${optOut.senders[0] ?? ""} through ${operator}`;
    const wanted = { accountId: id, msisdn, messageClass: "MARKETING", source: "KEYWORD", note } as const;
    if (addSuppression(tx, wanted, nowMs) === 0) continue;
    const detail = { msisdn, message_class: "MARKETING", source: "KEYWORD", word, operator };
    recordAudit(tx, { atMs: nowMs, actor: "recipient", action: "suppression add", subject: name, detail });
  }
  return lists.map(({ name }) => name);
}

function accountsMeant(tx: Tx, { operator, msisdn, senders }: OptOut, nowMs: number): number[] {
  const owners = ownersOfSender(tx, senders);
  if (owners.length > 0) {
    const known = owners.filter((id) => hasSentTo(tx, id, msisdn));
    return known.length > 0 ? known : owners;
  }
  const sinceMs = nowMs - MEANT_FOR_MS;
  const family = familyOf(tx, operator);
  return listAccounts(tx)
    .map(({ id }) => id)
    .filter((id) => hasSentMarketing(tx, id, msisdn, family, sinceMs));
}
