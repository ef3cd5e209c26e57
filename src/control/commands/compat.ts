import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { compatCreate, compatList, compatRevoke, readClass } from "../../operations/compat.ts";
import { refuse } from "../../operations/refusal.ts";
import { ACCOUNT, type AdminCommand, needed, optional } from "../command.ts";

export const COMPAT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "compat create",
    summary: "create a user for clients of Kannel and Jasmin; the password is shown this once",
    positionals: [ACCOUNT],
    flags: [
      { name: "user", value: "U", help: "the user name that the client sends", isRequired: true },
      {
        ...{ name: "class", value: "CLASS", choices: MESSAGE_CLASSES },
        help: "the class of all that the user sends; TRANSACTIONAL unless given",
      },
      { name: "sender", value: "NAME", help: "the sender where a request names none" },
    ],
    run: (context, args) => {
      const typed = optional(args, "class") ?? "TRANSACTIONAL";
      const messageClass = readClass(typed);
      if (messageClass === null) {
        return refuse("INVALID_CLASS.user", { text: typed, known: MESSAGE_CLASSES.join(", ") });
      }
      const sender = optional(args, "sender");
      return compatCreate(context, needed(args, "ACCOUNT"), {
        user: needed(args, "user"),
        messageClass,
        sender,
      });
    },
  },
  {
    name: "compat list",
    does: "reads",
    summary: "list an account's users for clients of Kannel and Jasmin, without passwords",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => compatList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "compat revoke",
    summary: "end such a user at once and for good",
    positionals: [{ name: "USER", help: "the user name" }],
    flags: [],
    run: (context, args) => compatRevoke(context, needed(args, "USER")),
  },
];
