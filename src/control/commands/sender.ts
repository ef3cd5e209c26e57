import {
  senderApprove,
  senderList,
  senderPending,
  senderRegister,
  senderReject,
  senderRequest,
  senderUnregister,
} from "../../operations/senders.ts";
import { ACCOUNT, type AdminCommand, type Flag, needed, type Positional } from "../command.ts";

const NAME: Positional = { name: "NAME", help: "the sender, exactly as recipients see it" };
const OPERATOR: Flag = {
  name: "operator",
  value: "CODE",
  help: "the operator's code in the configuration",
  isRequired: true,
};

export const SENDER_COMMANDS: readonly AdminCommand[] = [
  {
    name: "sender request",
    summary: "ask for a sender in the name of an account",
    positionals: [ACCOUNT, NAME],
    flags: [],
    run: (context, args) => senderRequest(context, needed(args, "ACCOUNT"), needed(args, "NAME")),
  },
  {
    name: "sender approve",
    summary: "let an account use a sender",
    positionals: [ACCOUNT, NAME],
    flags: [],
    run: (context, args) => senderApprove(context, needed(args, "ACCOUNT"), needed(args, "NAME")),
  },
  {
    name: "sender reject",
    summary: "refuse a sender, or take its approval back",
    positionals: [ACCOUNT, NAME],
    flags: [{ name: "reason", value: "TEXT", help: "why, for the account", isRequired: true }],
    run: (context, args) =>
      senderReject(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, "reason")),
  },
  {
    name: "sender register",
    summary: "note that an operator has registered a sender",
    positionals: [ACCOUNT, NAME],
    flags: [{ ...OPERATOR, help: `${OPERATOR.help}, or all of it` }],
    run: (context, args) =>
      senderRegister(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, OPERATOR.name)),
  },
  {
    name: "sender unregister",
    summary: "note that an operator does not know a sender any more",
    positionals: [ACCOUNT, NAME],
    flags: [OPERATOR],
    run: (context, args) =>
      senderUnregister(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, OPERATOR.name)),
  },
  {
    name: "sender list",
    does: "reads",
    summary: "list an account's senders and their registrations",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => senderList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "sender pending",
    does: "reads",
    summary: "list the senders of all accounts that wait for an approval or a first registration",
    positionals: [],
    flags: [],
    run: (context) => senderPending(context),
  },
];
