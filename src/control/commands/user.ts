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

const LOGIN: Positional = { name: "LOGIN", help: "the e-mail address that the user signs in with" };
const ROLE = { name: "role", value: "ROLE", help: "what the user may do", choices: ROLES, isRequired: true };

/** The people who sign in to the console. */
export const USER_COMMANDS: readonly AdminCommand[] = [
  {
    name: "user create",
    summary: "add a user of the console, and print the link that sets the password",
    positionals: [LOGIN],
    flags: [
      ROLE,
      { name: "account", value: "ACCOUNT", help: "the account of a role that belongs to one" },
      { name: "language", value: "LANGUAGE", help: "what the user reads", choices: USER_LANGUAGES },
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
    summary: "list the users of the console",
    positionals: [],
    flags: [{ name: "account", value: "ACCOUNT", help: "those of one account" }],
    table: { rows: "users", columns: ["login", "role", "account", "status", "created_at"] },
    run: (context, args) => userList(context, optional(args, "account")),
  },
  {
    name: "user link",
    summary: "print a link that sets a new password and second factor, once and within 30 minutes",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userLink(context, needed(args, "LOGIN")),
  },
  {
    name: "user role",
    summary: "give a user another role; sessions end",
    positionals: [LOGIN],
    flags: [ROLE],
    run: (context, args) => userRole(context, needed(args, "LOGIN"), needed(args, "role")),
  },
  {
    name: "user disable",
    summary: "end a user's sessions, and let nobody in by that login",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userDisable(context, needed(args, "LOGIN")),
  },
  {
    name: "user enable",
    summary: "let a disabled user in again",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userEnable(context, needed(args, "LOGIN")),
  },
  {
    name: "user delete",
    summary: "take a user away, so that the login is free for somebody else",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userDelete(context, needed(args, "LOGIN")),
  },
  {
    name: "user reset",
    summary: "take a user's password, second factor and sessions away, and print a link for new ones",
    positionals: [LOGIN],
    flags: [],
    run: (context, args) => userReset(context, needed(args, "LOGIN")),
  },
];
