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

const NAME: Positional = { name: "NAME" };
const OPERATOR: Flag = {
  name: "operator",
  value: "CODE",
  isRequired: true,
};

export const SENDER_COMMANDS: readonly AdminCommand[] = [
  {
    name: "sender request",
    positionals: [ACCOUNT, NAME],
    flags: [],
    run: (context, args) => senderRequest(context, needed(args, "ACCOUNT"), needed(args, "NAME")),
  },
  {
    name: "sender approve",
    positionals: [ACCOUNT, NAME],
    flags: [],
    run: (context, args) => senderApprove(context, needed(args, "ACCOUNT"), needed(args, "NAME")),
  },
  {
    name: "sender reject",
    positionals: [ACCOUNT, NAME],
    flags: [{ name: "reason", value: "TEXT", isRequired: true }],
    run: (context, args) =>
      senderReject(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, "reason")),
  },
  {
    name: "sender register",
    positionals: [ACCOUNT, NAME],
    flags: [{ ...OPERATOR }],
    run: (context, args) =>
      senderRegister(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, OPERATOR.name)),
  },
  {
    name: "sender unregister",
    positionals: [ACCOUNT, NAME],
    flags: [OPERATOR],
    run: (context, args) =>
      senderUnregister(context, needed(args, "ACCOUNT"), needed(args, "NAME"), needed(args, OPERATOR.name)),
  },
  {
    name: "sender list",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => senderList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "sender pending",
    does: "reads",
    positionals: [],
    flags: [],
    run: (context) => senderPending(context),
  },
];
