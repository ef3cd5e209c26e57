import {
  readAllSeen,
  EVIDENCE_NEEDED,
  countEvidence,
  type Seen,
  unmarkedSettings,
} from "../../channels/sms/receipt-habit.ts";
import { type Config, smscAccount } from "../../config/config.ts";
import type { Reader } from "../../db/read.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** What connections bind to. Receipts belong to it, whichever of its sessions and operators they come by. */
export type SmscAccountView = {
  /** system_id@host:port */
  readonly account: string;
  /** The operators with a connection to it. */
  readonly operators: readonly string[];
  readonly unmarked_receipts: string;
  /** What was seen of its receipts. */
  readonly receipts: Phrase;
};

/** Every SMSC account of the configuration, in its order, with who shares it and how its receipts come. */
export function smscAccounts(read: Reader, config: Config): SmscAccountView[] {
  const seen = readAllSeen(read);
  return [...unmarkedSettings(config)].map(([account, setting]) => ({
    account,
    operators: Object.entries(config.operators)
      .filter(([, { connections }]) => connections.some((connection) => smscAccount(connection) === account))
      .map(([code]) => code),
    unmarked_receipts: setting,
    receipts: habitOf(seen.get(account) ?? null, countEvidence(read, account)),
  }));
}

function habitOf(seen: Seen, numbers: number): Phrase {
  if (seen !== null) return phrase(`link.receipts.${seen}`);
  return numbers === 0
    ? phrase("link.receipts.unknown")
    : phrase("link.receipts.so_far", { numbers, needed: EVIDENCE_NEEDED });
}
