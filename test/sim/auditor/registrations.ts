/** What senders are registered with, operators and single routes of theirs, as commands made it (docs/administration.md#routes). */
import type { Account } from "./accounts.ts";
import type { History } from "./history.ts";
import { changeOpenAccount, commandsOn, type Period } from "./in-force.ts";
import { type Change, possible } from "./possible.ts";

/**
 * Whether a sender may have been registered under a code in a period, that of an operator or of a route. Of all routes a registration ends
 * too where one is taken back for which each other is registered by itself: whether that was so is left open.
 */
export function mayBeRegistered(
  history: History,
  account: Account,
  { sender, code }: { readonly sender: string; readonly code: string },
  { fromMs, toMs }: Period,
): readonly boolean[] {
  const [operator = code] = code.split("/");
  const changes = commandsOn(history, account, ["sender register", "sender unregister"]).flatMap(
    (command): readonly Change<boolean>[] => {
      const { name, args } = command;
      if (args.NAME !== sender) return [];
      const isRegistering = name === "sender register";
      const change = changeOpenAccount(history, command, isRegistering);
      const isAll = args.operator === "all" && code === operator;
      if (args.operator === code || isAll || (!isRegistering && args.operator === operator)) return [change];
      const isOfOneRoute = !isRegistering && code === operator && args.operator?.startsWith(`${operator}/`);
      return isOfOneRoute ? [{ ...change, isSure: false }] : [];
    },
  );
  return possible(false, changes, fromMs, toMs);
}
