/** The text for the file, line by line, with those that a hand has to fill in. Pure. */
import type { PasswordPlace } from "./draft-form.ts";

/** `isOpen`: something has to be put there, or it is the line that the password comes from. */
export type DraftLine = { readonly text: string; readonly isOpen: boolean };

/** What stands for the password until it is typed; the configuration refuses it, for it is no ASCII. */
export const PASSWORD_BLANK = 'password = "…"';

/** The lines of a draft, with the password in the file or, as the draft has it, in the environment. */
export function draftLines(draft: string, place: PasswordPlace): readonly DraftLine[] {
  return draft
    .trimEnd()
    .split("\n")
    .map((line) => {
      const isPassword = line.startsWith("password = ");
      const text = isPassword && place === "file" ? PASSWORD_BLANK : line;
      return { text, isOpen: isPassword || line.startsWith("# price") };
    });
}
