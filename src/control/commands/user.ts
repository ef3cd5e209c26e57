import { USER_LIST_OPERATIONS } from "../../operations/user-list.ts";
import { USER_OPERATIONS } from "../../operations/users.ts";
import { commandsOf } from "../commands-of.ts";

const { "user create": CREATE, ...REST } = USER_OPERATIONS;

/** The people who sign in to the console. */
export const USER_COMMANDS = commandsOf(
  { "user create": CREATE, ...USER_LIST_OPERATIONS, ...REST },
  {
    "user list": { table: { rows: "users", columns: ["login", "role", "account", "status", "created_at"] } },
  },
);
