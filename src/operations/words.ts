import { type AdminCode, type AdminOutcome, done, refuse } from "./refusal.ts";

/** Checks a text that a person gave: trimmed, not blank, at most `longest` characters, no control characters. */
export function checkWords(
  text: string,
  code: AdminCode,
  what: string,
  longest: number,
): AdminOutcome<string> {
  const trimmed = text.trim();
  if (trimmed === "") return refuse(code, `the ${what} must not be blank`);
  if (trimmed.length > longest) return refuse(code, `the ${what} must have at most ${longest} characters`);
  if (/\p{Cc}/u.test(trimmed)) return refuse(code, `the ${what} must not hold control characters`);
  return done(trimmed);
}
