/** By which numbers of WhatsApp accounts' senders may go, from the configuration and from what was registered. */
import type { Account } from "./accounts.ts";
import type { History } from "./history.ts";
import { changeOpenAccount, commandsOn, type Period, settingsIn } from "./in-force.ts";
import { possible } from "./possible.ts";

/** The numbers that a sender's messages may go by in a period, by operator code; null among them: none knows the sender. */
export function numbersFor(
  history: History,
  account: Account,
  sender: string,
  period: Period,
): ReadonlySet<string | null> {
  const found = new Set<string | null>();
  for (const { numbers } of settingsIn(history, period)) {
    let isLeft = true;
    for (const { code } of numbers) {
      if (!isLeft) break;
      const may = isKnown(history, account, { sender, operator: code }, period);
      if (may.includes(true)) found.add(code);
      isLeft = may.includes(false);
    }
    if (isLeft) found.add(null);
  }
  return found;
}

/** Whether some sender of an account may have been known to a number in a period. */
export function isAnyKnown(
  history: History,
  account: Account,
  operator: string,
  period: Period,
): readonly boolean[] {
  const senders = new Set(
    commandsOn(history, account, ["sender register"]).map(({ args }) => args.NAME ?? ""),
  );
  const each = [...senders].map((sender) => isKnown(history, account, { sender, operator }, period));
  if (each.some((may) => !may.includes(false))) return [true];
  return each.some((may) => may.includes(true)) ? [true, false] : [false];
}

/** One that is rejected is known to none while that lasts. */
function isKnown(
  history: History,
  account: Account,
  { sender, operator }: { readonly sender: string; readonly operator: string },
  { fromMs, toMs }: Period,
): readonly boolean[] {
  const of = (...names: readonly string[]) =>
    commandsOn(history, account, names).filter(({ args }) => args.NAME === sender);
  const registered = of("sender register", "sender unregister")
    .filter(({ args }) => args.operator === operator || args.operator === "all")
    .map((command) => changeOpenAccount(history, command, command.name === "sender register"));
  const approved = of("sender approve", "sender reject").map((command) =>
    changeOpenAccount(history, command, command.name === "sender approve"),
  );
  const isRegistered = possible(false, registered, fromMs, toMs);
  const isApproved = possible(false, approved, fromMs, toMs);
  return [...new Set(isRegistered.flatMap((one) => isApproved.map((other) => one && other)))];
}
