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
    positionals: [ACCOUNT],
    flags: [
      {
        name: "operator",
        value: "CODE",
        isRequired: true,
      },
      { name: "amount", value: "XOF", isRequired: true },
      {
        name: "class",
        value: "CLASS",
        told: { classes: MESSAGE_CLASSES.join(", ") },
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
    positionals: [ACCOUNT],
    flags: [
      { name: "operator", value: "CODE", isRequired: true },
      {
        name: "class",
        value: "CLASS",
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
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => priceList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "price history",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [{ name: "limit", value: "N", told: { usual: USUAL_CHANGES } }],
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
