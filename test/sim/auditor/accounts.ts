/** Who there is, and whose keys are whose: from the outcomes of `account create` and `key create`. */
import type { Commanded } from "./exchanges.ts";
import { list, text } from "./json.ts";

export type Account = {
  /** As the workload calls it. */
  readonly name: string;
  readonly accountId: string;
  readonly billing: "prepaid" | "postpaid";
  /** As it was made with. */
  readonly creditLimit: number;
  /** As it was made with; null: the configuration's. */
  readonly timezone: string | null;
  readonly keys: readonly ApiKey[];
};

export type ApiKey = {
  readonly keyId: string;
  readonly apiKey: string;
  readonly madeAtMs: number;
  /** From when on it may be refused, and from when on it must be; null: it was not revoked. */
  readonly revoked: { readonly earliestMs: number; readonly latestMs: number | null } | null;
};

/** The accounts that were made, by the workload's names; one whose outcome was lost is known by what was shown of it later. */
export function accountsOf(commands: readonly Commanded[]): ReadonlyMap<string, Account> {
  const accounts = new Map<string, Account>();
  const ids = idsByName(commands);
  for (const { name, args, wasDone } of commands) {
    const called = args.name;
    if (name !== "account create" || wasDone === "no" || called === undefined) continue;
    const accountId = ids.get(called);
    if (accountId === undefined || accounts.has(called)) continue;
    const billing = args.billing === "postpaid" ? "postpaid" : "prepaid";
    const madeFor = (command: Commanded) => isFor(command, called, accountId);
    const keys = commands.filter(madeFor).flatMap((command) => keyOf(command, commands));
    const creditLimit = Number(args["credit-limit"] ?? 0);
    accounts.set(called, {
      name: called,
      accountId,
      billing,
      creditLimit,
      timezone: args.timezone ?? null,
      keys,
    });
  }
  return accounts;
}

function idsByName(commands: readonly Commanded[]): ReadonlyMap<string, string> {
  const ids = new Map<string, string>();
  for (const { name, args, outcome } of commands) {
    if (!outcome?.ok) continue;
    const rows = name === "account list" ? list(outcome.data, "accounts") : [outcome.data];
    for (const row of rows) {
      const accountId = text(row, "account_id");
      const called = name.startsWith("account ") ? (text(row, "name") ?? args.name) : args.ACCOUNT;
      if (accountId !== null && called !== undefined && !ids.has(called)) ids.set(called, accountId);
    }
  }
  return ids;
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
