import type { CHARACTERS_EN } from "./characters-en.ts";

/** Les noms des caractères qui coûtent cher, en français. */
export const CHARACTERS_FR: typeof CHARACTERS_EN = {
  names: {
    "’": "apostrophe courbe",
    "‘": "apostrophe courbe",
    "´": "accent aigu seul",
    "`": "accent grave seul",
    "“": "guillemet courbe",
    "”": "guillemet courbe",
    "„": "guillemet bas",
    "«": "guillemet français",
    "»": "guillemet français",
    "…": "points de suspension en un seul caractère",
    "–": "tiret long",
    "—": "tiret long",
    "•": "puce",
    "\u00a0": "espace insécable",
    "\u202f": "espace fine insécable",
    "\t": "tabulation",
    "\u200b": "espace invisible",
    "\ufeff": "marque invisible",
    "\u00ad": "trait d’union conditionnel",
  },
  letter: (letter: string) => `la lettre ${letter}`,
  emoji: "émoji",
  sign: "signe",
};
