/** Accounts of the demonstration: opened as an administrator opens them. */
import { accountCreate } from "../admin/operations/accounts.ts";
import type { AdminContext } from "../admin/operations/context.ts";
import type { AdminOutcome } from "../admin/operations/refusal.ts";
import { senderApprove, senderRegister, senderRequest } from "../admin/operations/senders.ts";
import { walletTopUp } from "../admin/operations/wallets.ts";
import { assert } from "../core/assert.ts";
import type { Xof } from "../core/money.ts";

type AccountToOpen = {
  readonly name: string;
  readonly shortName?: string;
  readonly sender: string;
  /** Codes of those that know the sender. */
  readonly operators: readonly string[];
  readonly topUp: Xof;
};

/** Opens an account with money and a sender that can be sent from; its public id. */
export async function openAccount(
  context: AdminContext,
  { name, shortName, sender, operators, topUp }: AccountToOpen,
): Promise<string> {
  const names = shortName === undefined ? { name } : { name, shortName };
  const { account_id: id } = granted(
    await accountCreate(context, { ...names, billing: "PREPAID", creditLimit: 0, timezone: null }),
  );
  granted(await walletTopUp(context, id, topUp, "first"));
  granted(await senderRequest(context, id, sender));
  granted(await senderApprove(context, id, sender));
  for (const operator of operators) granted(await senderRegister(context, id, sender, operator));
  return id;
}

/** The value of an operation that cannot be refused here. */
export function granted<T>(outcome: AdminOutcome<T>): T {
  assert(outcome.ok, "the demonstration may set up its own accounts");
  return outcome.value;
}
