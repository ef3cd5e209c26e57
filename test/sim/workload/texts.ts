/**
 * Texts of a run. Each batch's begins with a token of its own, and a long one repeats it, so that whoever sees a submit_sm, or one
 * part of a text, can tell whose it is.
 */
import type { Chance } from "../../../src/core/chance.ts";
import { between, happens } from "../chance.ts";
import { pick, weighted } from "./draw.ts";
import type { Switches } from "./switches.ts";

const PLAIN = [
  "Votre colis est pret",
  "Bonjour",
  "Your order left",
  "Reunion a 15h",
  "Solde 500 F",
  "ok",
] as const;
/** In the GSM 7-bit alphabet all the same, some of it by escapes. */
const ACCENTED = ["Paiement reçu".replace("ç", "Ç"), "Prix 10 €", "été à Pô", "[5] ~ {}", "ΔΦΓ ñ ü"] as const;
/** Nothing that GSM 03.38 has; the last is written in its decomposed form, which normalisation puts together. */
const WIDE = ["reçu", "fête", "« oui »", "你好", "🙂 merci", "e\u0302tre"] as const;

/** The token of a batch. */
export function tokenOf(place: number): string {
  return `#${place.toString(36)}`;
}

/** The text of a batch; with `{name}` in it where `isTagged`. */
export function drawText(chance: Chance, switches: Switches, token: string, isTagged: boolean): string {
  const words: string[] = [token];
  if (isTagged) words.push("{name}");
  words.push(pick(chance, PLAIN));
  if (happens(chance, 0.3)) words.push(pick(chance, ACCENTED));
  const isWide = switches("ucs2") && happens(chance, 0.3);
  if (isWide) words.push(pick(chance, WIDE));
  const text = words.join(" ");
  return switches("long") && happens(chance, 0.3) ? lengthened(chance, text, token, isWide) : text;
}

/** A text at or around where a part ends, or of any length. */
function lengthened(chance: Chance, text: string, token: string, isWide: boolean): string {
  const [single, multi] = isWide ? [70, 67] : [160, 153];
  const length = weighted(chance, [
    [2, single + between(chance, [-1, 1])],
    [3, multi * between(chance, [2, 4]) + between(chance, [-2, 1])],
    [3, between(chance, [single, 4 * multi])],
    [1, between(chance, [5 * multi, 8 * multi])],
  ]);
  let long = text;
  while (long.length < length) {
    const filler = happens(chance, 0.15) ? "€" : pick(chance, PLAIN);
    long += ` ${token} ${filler}`;
  }
  return long.slice(0, Math.max(length, text.length)).trimEnd();
}

const NAMES = ["Awa", "Issa", "Noël", "Zoé", "Fatou €", "Ö"] as const;

/** The value of a tag: mostly a name, rarely something else that a tag may be. */
export function drawName(chance: Chance): string | number | boolean | null {
  return weighted<string | number | boolean | null>(chance, [
    [10, pick(chance, NAMES)],
    [1, between(chance, [0, 9999])],
    [1, true],
    [1, null],
  ]);
}
