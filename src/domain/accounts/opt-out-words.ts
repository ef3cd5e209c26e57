/**
 * Words by which a recipient opts out (docs/behaviour.md#opt-outs): those that gateways and regulators ask for in
 * English and French, and their nearest French kin. Letters without accents, as the text is compared.
 */
const WORDS: ReadonlySet<string> = new Set([
  ...[
    "STOP",
    "STOPALL",
    "STOPSMS",
    "STOPPUB",
    "UNSUBSCRIBE",
    "OPTOUT",
    "END",
    "QUIT",
    "CANCEL",
    "REVOKE",
    "REMOVE",
  ],
  ...["ARRET", "ARRETER", "ARRETE", "ARRETEZ", "DESABONNER", "DESABONNE", "DESABONNEZ", "DESABONNEMENT"],
  ...["DESINSCRIRE", "DESINSCRIS", "DESINSCRIVEZ", "DESINSCRIPTION", "SUPPRIMER"],
]);

/** Of these no program calls anything else. */
const SURE = /^(STOP|UNSUBSCRIBE|OPTOUT|DESABONN|DESINSCRI)/;

/** A longer text is a sentence, in which the word may mean anything: "Stop à la vente ambulante". */
const MAX_WORDS = 3;

/** The word by which a text opts out, in capitals; null when it does not. Case, accents and punctuation make no difference. */
export function optOutWord(text: string): string | null {
  const words = wordsOf(text);
  const [first] = words;
  return first !== undefined && words.length <= MAX_WORDS && WORDS.has(first) ? first : null;
}

/**
 * The word by which the id of a button opts out, as its maker named it: "STOP", "stop_promo", "OPT-OUT"; null when it does not. Of several
 * words the first must be unmistakable: CANCEL_ORDER cancels an order.
 */
export function optOutId(id: string): string | null {
  const words = wordsOf(id.replaceAll("_", " "));
  const word = optOutWord(words.join(" "));
  return word !== null && (words.length === 1 || SURE.test(word)) ? word : null;
}

function wordsOf(text: string): string[] {
  return text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/\bOPT[\s-]+OUT\b/, "OPTOUT")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
