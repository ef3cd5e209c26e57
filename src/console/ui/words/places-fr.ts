import type { PLACES_EN } from "./places-en.ts";

/** Les noms des pages dont les autres mots viennent avec la page. */
export const PLACES_FR: typeof PLACES_EN = {
  reports: "Rapports",
  alarms: "Alarmes",
  appliance: "État",
  backups: "Sauvegardes",
  audit: "Journal d’audit",
};
