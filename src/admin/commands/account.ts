import type { ChargeOn } from "../../accounts/accounts.ts";
import { isMessageClass, MESSAGE_CLASSES, type MessageClass } from "../../accounts/classes.ts";
import type { Xof } from "../../base/money.ts";
import {
  accountCreate,
  accountList,
  accountResume,
  accountSet,
  accountShow,
  accountSuspend,
} from "../accounts.ts";
import { readAmount } from "../amount.ts";
import { ACCOUNT, type Args, type Command, type Flag, needed, optional } from "../command.ts";
import { type AdminOutcome, done, refuse } from "../refusal.ts";
import { readList } from "./list.ts";

const CREDIT_LIMIT: Flag = {
  name: "credit-limit",
  value: "XOF",
  help: "how far below zero a postpaid account may go",
};
const TIMEZONE: Flag = { name: "timezone", value: "TZ", help: "IANA timezone, such as Africa/Ouagadougou" };

export const ACCOUNT_COMMANDS: readonly Command[] = [
  {
    name: "account create",
    summary: "create a client account with an empty wallet",
    positionals: [],
    flags: [
      { name: "name", value: "NAME", help: "what people call it", isRequired: true },
      {
        name: "billing",
        value: "MODE",
        help: "paid before sending, or after",
        isRequired: true,
        choices: ["prepaid", "postpaid"],
      },
      CREDIT_LIMIT,
      TIMEZONE,
    ],
    run: (context, args) => {
      const creditLimit = optionalAmount(args, CREDIT_LIMIT.name);
      if (!creditLimit.ok) return creditLimit;
      return accountCreate(context, {
        name: needed(args, "name"),
        billing: needed(args, "billing") === "postpaid" ? "POSTPAID" : "PREPAID",
        creditLimit: creditLimit.value ?? 0,
        timezone: optional(args, TIMEZONE.name),
      });
    },
  },
  {
    name: "account list",
    summary: "list all accounts",
    positionals: [],
    flags: [],
    run: (context) => accountList(context),
  },
  {
    name: "account show",
    summary: "show an account's settings, status and wallet",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => accountShow(context, needed(args, "ACCOUNT")),
  },
  {
    name: "account set",
    summary: "change settings of an account",
    positionals: [ACCOUNT],
    flags: [
      CREDIT_LIMIT,
      TIMEZONE,
      { name: "classes", value: "A,B", help: `what it may send: ${MESSAGE_CLASSES.join(", ")}, or all` },
      {
        name: "charge-on",
        value: "WHEN",
        help: "when a message is charged; default: as the configuration says",
        choices: ["accepted", "delivered", "default"],
      },
    ],
    run: (context, args) => {
      const creditLimit = optionalAmount(args, CREDIT_LIMIT.name);
      if (!creditLimit.ok) return creditLimit;
      const classes = optionalClasses(args);
      if (!classes.ok) return classes;
      const timezone = optional(args, TIMEZONE.name);
      const chargeOn = optional(args, "charge-on");
      return accountSet(context, needed(args, "ACCOUNT"), {
        ...(creditLimit.value !== null && { creditLimit: creditLimit.value }),
        ...(timezone !== null && { timezone }),
        ...(classes.value !== null && { classes: classes.value }),
        ...(chargeOn !== null && { chargeOn: readChargeOn(chargeOn) }),
      });
    },
  },
  {
    name: "account suspend",
    summary: "bar an account from the API and hold its waiting messages back",
    positionals: [ACCOUNT],
    flags: [{ name: "reason", value: "TEXT", help: "why, for the audit list", isRequired: true }],
    run: (context, args) => accountSuspend(context, needed(args, "ACCOUNT"), needed(args, "reason")),
  },
  {
    name: "account resume",
    summary: "let a suspended account in again",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => accountResume(context, needed(args, "ACCOUNT")),
  },
];

function optionalAmount(args: Args, flag: string): AdminOutcome<Xof | null> {
  const text = optional(args, flag);
  return text === null ? done(null) : readAmount(text);
}

function optionalClasses(args: Args): AdminOutcome<readonly MessageClass[] | null> {
  const text = optional(args, "classes");
  if (text === null) return done(null);
  const { known, unknown } = readList(text, MESSAGE_CLASSES, isMessageClass);
  return unknown === null
    ? done(known)
    : refuse(
        "INVALID_CLASS",
        `${JSON.stringify(unknown)} is not a message class: ${MESSAGE_CLASSES.join(", ")}`,
      );
}

function readChargeOn(text: string): ChargeOn | null {
  if (text === "accepted" || text === "delivered") return text;
  return null;
}
