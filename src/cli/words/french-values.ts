/** Words that stand as the value of a member: by the member's name, then by the word. Codes in capitals stay as they are. */
export const VALUES_IN_FRENCH: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  change: { added: "ajouté", removed: "retiré", changed: "changé" },
  done: { created: "créé", updated: "mis à jour", unchanged: "inchangé", kept: "gardé" },
  keys: {
    none: "aucune",
    sealed: "scellées",
    "left out": "absentes",
    restored: "restaurées",
    missing: "manquantes",
  },
  kind: { waiting: "en attente", in_flight: "chez l'opérateur" },
  server: { running: "en marche", "not running": "arrêté" },
  state: {
    firing: "active",
    silenced: "en sourdine",
    ok: "en ordre",
    start: "début",
    repeat: "rappel",
    end: "fin",
  },
  outcome: {
    waiting: "en attente",
    told: "transmis",
    joined: "joint à un autre",
    dropped: "laissé de côté",
    given_up: "abandonné",
  },
  receipts: { marked: "marqués", unmarked: "sans marque", "not known yet": "pas encore connu" },
  source: { account: "compte", operator: "opérateur" },
  waits_for: { approval: "approbation", registration: "enregistrement" },
  status: { ok: "en ordre", warning: "avertissement", error: "erreur" },
};
