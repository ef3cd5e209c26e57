import { MESSAGE_CLASSES } from "../../accounts/classes.ts";
import { compatCreate, compatList, compatRevoke, readClass } from "../../operations/compat.ts";
import { refuse } from "../../operations/refusal.ts";
import { ACCOUNT, type AdminCommand, needed, optional } from "../command.ts";

export const COMPAT_COMMANDS: readonly AdminCommand[] = [
  {
    name: "compat create",
    positionals: [ACCOUNT],
    flags: [
      { name: "user", value: "U", isRequired: true },
      {
        ...{ name: "class", value: "CLASS", choices: MESSAGE_CLASSES },
      },
      { name: "sender", value: "NAME" },
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
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => compatList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "compat revoke",
    positionals: [{ name: "USER" }],
    flags: [],
    run: (context, args) => compatRevoke(context, needed(args, "USER")),
  },
];
