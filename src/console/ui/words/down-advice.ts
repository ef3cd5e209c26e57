/** What to do about an unreachable operator, by what went wrong. Pure. */
import type { Phrase } from "../../../i18n/phrase.ts";
import type { TroublesWords } from "../../../i18n/words.gen.d.ts";

type DownCause = keyof TroublesWords["downTodo"];

/** Sorts the cause by the kind of thing that prevents a connection. */
export function classifyDownCause(why: Phrase | null): DownCause {
  switch (why?.code) {
    case "link.nobody_listens":
      return "NOBODY_LISTENS";
    case "link.no_name":
      return "NO_NAME";
    case "link.no_answer":
    case "link.no_way":
      return "NO_WAY";
    case "link.cut":
      return "CUT";
    case "link.certificate.name":
    case "link.certificate.date":
    case "link.certificate.authority":
      return "CERTIFICATE";
    case "link.bind_refused.password":
    case "link.bind_refused.system_id":
    case "link.bind_refused.system_type":
    case "link.bind_refused.unexplained":
      return "CREDENTIALS";
    case "link.bind_refused.bound_already":
      return "BOUND_ALREADY";
    default:
      return "OTHER";
  }
}

/** `why`: what went wrong; `nextAt`: when the next attempt is due, formatted. */
export function downAdvice(
  words: Pick<TroublesWords, "downAgain" | "downTodo">,
  why: Phrase | null,
  nextAt: string | null,
): string {
  return `${words.downTodo[classifyDownCause(why)]} ${words.downAgain({ time: nextAt })}`;
}
