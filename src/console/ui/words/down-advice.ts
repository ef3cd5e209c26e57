/** What to do about an operator that is out of reach, by what went wrong. Pure. */
import type { TROUBLES_EN } from "./troubles-en.ts";

type Cause = keyof typeof TROUBLES_EN.downTodo;

/** By the technical name that ends each cause in brackets (smpp/link-faults.ts); it is the same in both languages. */
const CAUSES: readonly (readonly [RegExp, Cause])[] = [
  [/^ECONNREFUSED$/, "NOBODY_LISTENS"],
  [/^(ENOTFOUND|EAI_AGAIN|EAI_NONAME)$/, "NO_NAME"],
  [/^(ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/, "NO_WAY"],
  [/^(ECONNRESET|EPIPE)$/, "CUT"],
  [/CERT/, "CERTIFICATE"],
  [/\b(RINVPASWD|RINVSYSID|RBINDFAIL|RINVSYSTYP)$/, "CREDENTIALS"],
  [/\bRALYBND$/, "BOUND_ALREADY"],
];

/** `why`: what went wrong, as the connection tells it; `nextAt`: when it is tried again, as people read it. */
export function downAdvice(
  words: Pick<typeof TROUBLES_EN, "downAgain" | "downTodo">,
  why: string | null,
  nextAt: string | null,
): string {
  const name = /\(([^()]+)\)$/.exec(why ?? "")?.[1] ?? "";
  const cause = CAUSES.find(([pattern]) => pattern.test(name))?.[1] ?? "OTHER";
  return `${words.downTodo[cause]} ${words.downAgain(nextAt)}`;
}
