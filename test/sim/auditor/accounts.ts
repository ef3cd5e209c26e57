/** Who there is, and whose keys are whose: from the outcomes of `account create` and `key create`. */
import type { Commanded } from "./exchanges.ts";
import { text } from "./json.ts";

export type Account = {
  /** As the workload calls it. */
  readonly name: string;
  readonly accountId: string;
  readonly billing: "prepaid" | "postpaid";
  readonly keys: readonly ApiKey[];
};

export type ApiKey = {
  readonly keyId: string;
  readonly apiKey: string;
  readonly madeAtMs: number;
  /** From when on it may be refused, and from when on it must be; null: it was not revoked. */
  readonly revoked: { readonly earliestMs: number; readonly latestMs: number | null } | null;
};

/** The accounts that were made and acknowledged, by the workload's names. */
export function accountsOf(commands: readonly Commanded[]): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  for (const { name, args, outcome } of commands) {
    if (name !== "account create" || !outcome?.ok) continue;
    const accountId = text(outcome.data, "account_id");
    const called = args.name;
    if (accountId === null || called === undefined) continue;
    const billing = args.billing === "postpaid" ? "postpaid" : "prepaid";
    const madeFor = (command: Commanded) => isFor(command, called, accountId);
    const keys = commands.filter(madeFor).flatMap((command) => keyOf(command, commands));
    accounts.set(called, { name: called, accountId, billing, keys });
  }
  return accounts;
}

/** Whether a command names an account, by its name or its id. */
export function isFor({ args }: Commanded, name: string, accountId: string): boolean {
  return args.ACCOUNT === accountId || args.ACCOUNT === name;
}

function keyOf(command: Commanded, commands: readonly Commanded[]): readonly ApiKey[] {
  if (command.name !== "key create" || !command.outcome?.ok) return [];
  const keyId = text(command.outcome.data, "key_id");
  const apiKey = text(command.outcome.data, "api_key");
  if (keyId === null || apiKey === null) return [];
  const revokes = commands.filter(
    ({ name, args, wasDone }) => name === "key revoke" && args.KEY_ID === keyId && wasDone !== "no",
  );
  const sure = revokes.find(({ wasDone }) => wasDone === "yes");
  const [first] = revokes;
  const revoked = first ? { earliestMs: first.askedAtMs, latestMs: sure?.endedAtMs ?? null } : null;
  return [{ keyId, apiKey, madeAtMs: command.endedAtMs ?? command.askedAtMs, revoked }];
}
