import type { Xof } from "../core/money.ts";
import { alignColumns, escapeControls, groupThousands } from "../core/terminal-text.ts";
import { type Phrase, phrase } from "../i18n/phrase.ts";
import { english } from "../i18n/text.ts";
import type { HandsetText } from "../simulator/handset.ts";
import type { DemoBalance, DemoMessage } from "./api.ts";
import { DEMO_NUMBER, DEMO_OPERATORS } from "./scenario.ts";

/** The words of the demonstration's lines and of its table's heads. */
export type DemoWords = {
  readonly line: (line: Phrase) => string;
  readonly head: (name: string) => string;
};

/** Prints a line: what it says, or what is the same in every language. */
export type Print = (line: Phrase | string) => void;

export const ENGLISH_WORDS: DemoWords = { line: english, head: (name) => name };

/** Columns of numbers, which are right-aligned. */
const COUNTS = new Set([4, 5]);

/** One line a message, in the order of the submission. */
export function messageTable(messages: readonly DemoMessage[], { head }: DemoWords): readonly string[] {
  const heads = [...["msisdn", "operator", "status", "encoding", "segments"].map(head), "XOF"];
  const rows = [...messages]
    .sort((a, b) => a.index - b.index)
    .map(({ msisdn, operator, status, error, encoding, segments, amount }) => [
      msisdn,
      operatorName(operator),
      error ? `${status} ${error.code}` : status,
      encoding,
      String(segments),
      String(amount),
    ]);
  return alignColumns([heads, ...rows], COUNTS);
}

export function operatorName(code: string): string {
  return [...DEMO_OPERATORS, DEMO_NUMBER].find((operator) => operator.code === code)?.name ?? code;
}

/** A text as it stands on a handset, on one line. */
export function handsetLine({ from, to, parts, alphabet, text }: HandsetText): Phrase {
  const shown = escapeControls(text.replace(/\p{Cc}+/gu, " "));
  const params = { to, from: escapeControls(from), text: shown, alphabet };
  return parts === 1
    ? phrase("simulator.demo.handset", params)
    : phrase("simulator.demo.handset.parts", { ...params, parts });
}

/** A text as a person reads it in WhatsApp. */
export function chatLine({ to, text }: { readonly to: string; readonly text: string }): Phrase {
  return phrase("simulator.demo.chat", { to, text: escapeControls(text) });
}

export function statusLine({ msisdn, status, error, amount }: DemoMessage): Phrase {
  const params = { msisdn, status: error ? `${status} ${error.code}` : status };
  return amount > 0
    ? phrase("simulator.demo.status.charged", { ...params, amount })
    : phrase("simulator.demo.status", params);
}

/** A wallet's three figures. */
export function walletFigures({ balance, reserved, spendable }: DemoBalance): Phrase {
  return phrase("simulator.demo.figures", {
    balance: francs(balance),
    reserved: francs(reserved),
    spendable: francs(spendable),
  });
}

/** Digits in groups of three with plain spaces, which every terminal shows. */
export function francs(amount: Xof): string {
  return `${groupThousands(String(amount), " ")} XOF`;
}
