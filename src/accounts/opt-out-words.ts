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

/** A longer text is a sentence, in which the word may mean anything: "Stop à la vente ambulante". */
const MOST_WORDS = 3;

/** The word by which a text opts out, in capitals; null when it does not. Case, accents and punctuation make no difference. */
export function optOutWord(text: string): string | null {
  const words = text
    .normalize("NFKD")
    .replace(/[\p{M}\p{Cf}]/gu, "")
    .toUpperCase()
    .replace(/\bOPT[\s-]+OUT\b/, "OPTOUT")
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
  const [first] = words;
  return first !== undefined && words.length <= MOST_WORDS && WORDS.has(first) ? first : null;
}
