import { type HowStarted, shellWord, typedCommand } from "../../core/how-started.ts";
import type { LinkEnd } from "../../domain/accounts/link-view.ts";
import type { UserLanguage } from "../../domain/accounts/role.ts";
import type { DeadLink } from "./contract.ts";

/** An address that people put their own in the place of. */
const SOMEBODY = { en: "you@example.com", fr: "vous@exemple.com" };

/**
 * What is said of a link that works no more. Where the server's files lie is told to whoever had a link of its own people, and to no
 * stranger.
 */
export function deadLink(end: LinkEnd, started: HowStarted | null, language: UserLanguage): DeadLink {
  const create = `user create ${SOMEBODY[language]} --role OWNER`;
  const { why } = end;
  switch (why) {
    case "FIRST_RAN_OUT":
      return { why, login: null, command: typedCommand(started, create) };
    case "NOBODY_YET":
      return { why, login: null, command: `bendre ${create}${started ? " --config FILE" : ""}` };
    case "STAFF_RAN_OUT": {
      const command = typedCommand(started, `user link ${shellWord(end.login)}`);
      return { why, login: end.login, command };
    }
    case "CLIENT_RAN_OUT":
      return { why, login: end.login, command: null };
    case "UNKNOWN":
      return { why, login: null, command: null };
  }
}
