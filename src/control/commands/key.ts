import { KEY_MODES } from "../../accounts/api-key.ts";
import { isScope, SCOPES } from "../../accounts/scopes.ts";
import { keyCreate, keyList, keyRevoke } from "../../operations/keys.ts";
import { done, refuse } from "../../operations/refusal.ts";
import { readTime } from "../../operations/typed-values.ts";
import { ACCOUNT, type AdminCommand, needed, optional } from "../command.ts";
import { readList } from "./list.ts";
import { readMode } from "./mode.ts";

export const KEY_COMMANDS: readonly AdminCommand[] = [
  {
    name: "key create",
    positionals: [ACCOUNT],
    flags: [
      { name: "name", value: "NAME", isRequired: true },
      { name: "scopes", value: "A,B", told: { scopes: SCOPES.join(", ") }, isRequired: true },
      {
        name: "mode",
        value: "MODE",
        choices: KEY_MODES,
      },
      { name: "expires-at", value: "ISO" },
    ],
    run: (context, args) => {
      const { known, unknown } = readList(needed(args, "scopes"), SCOPES, isScope);
      if (unknown !== null) {
        return refuse("INVALID_SCOPE", { text: unknown, known: SCOPES.join(", ") });
      }
      const mode = readMode(args);
      if (!mode.ok) return mode;
      const ends = optional(args, "expires-at");
      const end = ends === null ? done(null) : readTime(ends);
      if (!end.ok) return end;
      return keyCreate(context, needed(args, "ACCOUNT"), {
        name: needed(args, "name"),
        scopes: known,
        mode: mode.value,
        expiresAtMs: end.value?.beginMs ?? null,
      });
    },
  },
  {
    name: "key list",
    does: "reads",
    positionals: [ACCOUNT],
    flags: [],
    run: (context, args) => keyList(context, needed(args, "ACCOUNT")),
  },
  {
    name: "key revoke",
    positionals: [{ name: "KEY_ID" }],
    flags: [],
    run: (context, args) => keyRevoke(context, needed(args, "KEY_ID")),
  },
];
