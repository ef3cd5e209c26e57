import { KEY_MODES, type KeyMode } from "../../accounts/api-key.ts";
import { type AdminOutcome, done, refuse } from "../../operations/refusal.ts";
import { type Args, type Flag, optional } from "../command.ts";

/** Which side of an account is looked at. */
export const MODE_FLAG: Flag = {
  name: "mode",
  value: "MODE",
  choices: KEY_MODES,
};

export function readMode(args: Args): AdminOutcome<KeyMode> {
  const text = optional(args, "mode") ?? "live";
  const mode = KEY_MODES.find((one) => one === text);
  return mode ? done(mode) : refuse("INVALID_MODE", { text });
}
