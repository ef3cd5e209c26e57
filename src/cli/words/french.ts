import { ownValue } from "../../base/own-value.ts";
import { english, spokenIn } from "../../i18n/text.ts";
import { inFrench, linesInFrench } from "../../words/in-french.ts";
import { typeset } from "../../words/typeset.ts";
import type { Dictionary } from "./dictionary.ts";
import { HELP_IN_FRENCH } from "./french-help.ts";
import { LABELS_IN_FRENCH } from "./french-labels.ts";
import { PLACES_IN_FRENCH } from "./french-places.ts";
import { REFUSALS_IN_FRENCH } from "./french-refusals.ts";
import { VALUES_IN_FRENCH } from "./french-values.ts";

const BY_CODE: Readonly<Record<string, string>> = REFUSALS_IN_FRENCH;

export const FRENCH: Dictionary = {
  colon: typeset(" :"),
  usage: typeset("usage :"),
  anyCall: "bendre COMMANDE [ARGUMENTS] [OPTIONS]",
  commands: typeset("commandes :"),
  examples: typeset("exemples :"),
  forOne: (command) => typeset(`« bendre ${command} --help » explique chacun d'eux.`),
  forAny: typeset("« bendre COMMANDE --help » explique une commande, « bendre --version » donne la version."),
  forAll: typeset("« bendre --help » les présente toutes, « bendre COMMANDE --help » en explique une."),
  required: "obligatoire",
  noCommand: "aucune commande n'a été donnée",
  flagFirst: (flag) =>
    typeset(
      `${flag} n'est pas une commande : les options viennent après, comme dans « bendre serve --config FICHIER »`,
    ),
  unknownFlag: (name) => `option inconnue --${name}`,
  takesNoValue: (name) => `--${name} ne prend pas de valeur`,
  givenTwice: (name) => `--${name} a été donnée deux fois`,
  needsValue: (name, meaning) => typeset(`il faut une valeur à --${name} : ${meaning}`),
  oneOf: (name, choices) => typeset(`--${name} n'accepte que : ${choices.join(", ")}`),
  notTogether: (one, other) => `--${one} et --${other} ne vont pas ensemble`,
  missing: (what) => `il manque ${what}`,
  unexpected: (word) => typeset(`${word} est de trop`),
  needsVerb: (noun) => typeset(`« ${noun} » demande un verbe`),
  unknownCommand: (typed) => `commande inconnue ${typed}`,
  didYouMean: (meant) => typeset(` ; vouliez-vous dire ${meant} ?`),
  goOn: "Envoyer\u00a0? [o/N]",
  agreements: ["o", "oui", "y"],
  nothingDone: "rien n'a été envoyé",
  working: (seconds) => `en cours, ${seconds} s`,
  yes: "oui",
  no: "non",
  none: "(aucun)",
  point: ",",
  text: (english) => typeset(ownValue(HELP_IN_FRENCH, english) ?? english),
  place: (english) => ownValue(PLACES_IN_FRENCH, english) ?? english,
  label: (name) => labelOf(name),
  fileIsMissing:
    "note : il n'y a pas encore de fichier de configuration ; c'est le serveur, qui marche sans, qui répond",
  fileHasFault:
    "avertissement : la configuration contient une faute (« bendre config check » la montre) ; le serveur en marche répond selon celle qui est en vigueur",
  warning: (detail, code) => `${typeset("avertissement :")} ${inFrench(detail) ?? detail} (${code})`,
  refusal: ({ code, detail }) => {
    const known = ownValue(BY_CODE, code);
    if (detail.code !== "said") return spokenIn("fr", detail);
    const text = english(detail);
    const french = inFrench(text) ?? linesInFrench(text, inFrench);
    return french ?? (known === undefined ? text : `${known}${typeset(" :")}\n${text}`);
  },
  value: (member, english) => ownValue(ownValue(VALUES_IN_FRENCH, member), english) ?? english,
  sentence: (english) => inFrench(english) ?? english,
};

/** A name that the dictionary has as a whole, or part by part. */
function labelOf(name: string): string {
  const known = ownValue(LABELS_IN_FRENCH, name);
  if (known !== undefined) return known;
  const parts = name.split(".");
  return parts.length > 1 ? parts.map(labelOf).join(" ") : name.replaceAll("_", " ");
}
