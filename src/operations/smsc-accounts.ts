import { type Config, smscAccount } from "../config/config.ts";
import { allSeen, ENOUGH, evidenceOf, unmarkedSettings } from "../sms/receipt-habit.ts";
import type { Reader } from "../store/read.ts";

/** What connections bind to. Receipts belong to it, whichever of its sessions and operators they come by. */
export type SmscAccountView = {
  /** system_id@host:port */
  readonly account: string;
  /** The operators with a connection to it. */
  readonly operators: readonly string[];
  readonly unmarked_receipts: string;
  /** What was seen of its receipts. */
  readonly receipts: string;
};

/** Every SMSC account of the configuration, in its order, with who shares it and how its receipts come. */
export function smscAccounts(read: Reader, config: Config): SmscAccountView[] {
  const seen = allSeen(read);
  return [...unmarkedSettings(config)].map(([account, setting]) => ({
    account,
    operators: Object.entries(config.operators)
      .filter(([, { connections }]) => connections.some((connection) => smscAccount(connection) === account))
      .map(([code]) => code),
    unmarked_receipts: setting,
    receipts: seen.get(account) ?? soFar(evidenceOf(read, account)),
  }));
}

function soFar(numbers: number): string {
  return numbers === 0 ? "not known yet" : `not known yet: ${numbers} of ${ENOUGH} unmarked`;
}
