import { isMessageClass, MESSAGE_CLASSES } from "../../accounts/classes.ts";
import type { PriceOf } from "../../accounts/prices.ts";
import { priceHistory, priceList, priceSet, priceUnset } from "../../operations/prices.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { readAmount, readWhole } from "../../operations/typed-values.ts";
import { ACCOUNT, type AdminCommand, type Args, needed, optional } from "../command.ts";

/** How many changes are shown unless asked otherwise. */
const USUAL_CHANGES = "100";

export const PRICE_COMMANDS: readonly AdminCommand[] = [
  {
    name: "price set",
    summary: "set what a segment costs an account, in place of the operator's price",
    positionals: [ACCOUNT],
    flags: [
      {
        name: "operator",
        value: "CODE",
        help: "the operator's code in the configuration",
        isRequired: true,
      },
      { name: "amount", value: "XOF", help: "whole XOF per segment", isRequired: true },
      {
        name: "class",
        value: "CLASS",
        help: `only for ${MESSAGE_CLASSES.join(", ")}; all classes without this`,
      },
    ],
    run: (context, args) => {
      const amount = readAmount(needed(args, "amount"));
      if (!amount.ok) return amount;
      const price = priceNamed(args);
      if (!price.ok) return price;
      return priceSet(context, needed(args, "ACCOUNT"), { ...price.value, amount: amount.value });
    },
  },
  {
    name: "price unset",
    summary: "take a price of an account's own away, so that the one behind it counts",
    positionals: [ACCOUNT],
    flags: [
      { name: "operator", value: "CODE", help: "the operator's code", isRequired: true },
      {
        name: "class",
        value: "CLASS",
        help: "the price for this class; without it, the one for all classes",
      },
    ],
    run: (context, args) => {
      const price = priceNamed(args);
      return price.ok ? priceUnset(context, needed(args, "ACCOUNT"), price.value) : price;
    },
  },
  {
    name: "price list",
    does: "reads",
    summary: "list what an account pays: the operators' prices and its own",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => priceList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "price history",
    does: "reads",
    summary: "list the prices that were ever set for an account, newest first",
    positionals: [ACCOUNT],
    flags: [{ name: "limit", value: "N", help: `how many; ${USUAL_CHANGES} without this` }],
    run: (context, args) => {
      const limit = readWhole(optional(args, "limit") ?? USUAL_CHANGES);
      return limit.ok ? priceHistory(context, needed(args, "ACCOUNT"), limit.value) : limit;
    },
  },
];

/** Which price the flags name. */
function priceNamed(args: Args): AdminOutcome<PriceOf> {
  const named = optional(args, "class");
  const messageClass = named === null ? null : named.toUpperCase();
  if (messageClass !== null && !isMessageClass(messageClass)) {
    return refuse("INVALID_CLASS", { text: named ?? "", known: MESSAGE_CLASSES.join(", ") });
  }
  return done({ operator: needed(args, "operator"), messageClass });
}
