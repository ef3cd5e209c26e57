/** What to do about an operator that is out of reach, by what went wrong. Pure. */
import type { TroublesWords } from "../../../i18n/words.gen.d.ts";

export type DownCause = keyof TroublesWords["downTodo"];

/** By the technical name that ends each cause in brackets (smpp/link-faults.ts); it is the same in both languages. */
const CAUSES: readonly (readonly [RegExp, DownCause])[] = [
  [/^ECONNREFUSED$/, "NOBODY_LISTENS"],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/, "NO_NAME"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, "NO_WAY"],
  [/^(ECONNRESET|EPIPE)$/, "CUT"],
  [/CERT/, "CERTIFICATE"],
  [/\b(RINVPASWD|RINVSYSID|RBINDFAIL|RINVSYSTYP)$/, "CREDENTIALS"],
  [/\bRALYBND$/, "BOUND_ALREADY"],
];

/** What kind of thing keeps a connection from being made; `why`: as the connection tells it. */
export function downCause(why: string | null): DownCause {
  const name = /\(([^()]+)\)$/.exec(why ?? "")?.[1] ?? "";
  return CAUSES.find(([pattern]) => pattern.test(name))?.[1] ?? "OTHER";
}

/** `why`: what went wrong, as the connection tells it; `nextAt`: when it is tried again, as people read it. */
export function downAdvice(
  words: Pick<TroublesWords, "downAgain" | "downTodo">,
  why: string | null,
  nextAt: string | null,
): string {
  return `${words.downTodo[downCause(why)]} ${words.downAgain({ time: nextAt })}`;
}
