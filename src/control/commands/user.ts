import { userList } from "../../operations/user-list.ts";
import {
  userCreate,
  userDelete,
  userDisable,
  userEnable,
  userLink,
  userReset,
  userRole,
} from "../../operations/users.ts";
import { ROLES, USER_LANGUAGES } from "../../users/role.ts";
import { type AdminCommand, needed, optional, type Positional } from "../command.ts";

const LOGIN: Positional = { name: "LOGIN" };
const ROLE = { name: "role", value: "ROLE", choices: ROLES, isRequired: true };

/** The people who sign in to the console. */
export const USER_COMMANDS: readonly AdminCommand[] = [
  {
    name: "user create",
    positionals: [LOGIN],
    flags: [
      ROLE,
      { name: "account", value: "ACCOUNT" },
      { name: "language", value: "LANGUAGE", choices: USER_LANGUAGES },
    ],
    run: (context, args) =>
      userCreate(context, {
        login: needed(args, "LOGIN"),
        role: needed(args, "role"),
        account: optional(args, "account"),
        language: optional(args, "language"),
      }),
  },
  {
    name: "user list",
    does: "reads",
    positionals: [],
    flags: [{ name: "account", value: "ACCOUNT" }],
    table: { rows: "users", columns: ["login", "role", "account", "status", "created_at"] },
    run: (context, args) => userList(context, optional(args, "account")),
  },
  {
    name: "user link",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userLink(context, needed(args, "LOGIN")),
  },
  {
    name: "user role",
    positionals: [LOGIN],
    flags: [ROLE],
    run: (context, args) => userRole(context, needed(args, "LOGIN"), needed(args, "role")),
  },
  {
    name: "user disable",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userDisable(context, needed(args, "LOGIN")),
  },
  {
    name: "user enable",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userEnable(context, needed(args, "LOGIN")),
  },
  {
    name: "user delete",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userDelete(context, needed(args, "LOGIN")),
  },
  {
    name: "user reset",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userReset(context, needed(args, "LOGIN")),
  },
];
