/** An error whose reason people are shown in their language. */
import { type Phrase, said } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import { errorText } from "./log.ts";

/** An error whose reason is shown to people; its message is that in English, for logs. */
export class PhrasedError extends Error {
  override name = "PhrasedError";

  constructor(readonly reason: Phrase) {
    super(english(reason));
  }
}

/** Why something failed: in the words of the catalogue where the error has them, otherwise the error's own message. */
export function toReason(error: unknown): Phrase {
  return error instanceof PhrasedError ? error.reason : said(errorText(error));
}
