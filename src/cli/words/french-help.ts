import { HELP_OF_SMSC } from "./french-help-smsc.ts";
import { HELP_OF_WHATSAPP_SIM } from "./french-help-whatsapp-sim.ts";

/** What help says of the simulators: by the English sentence, wherever it stands. */
export const HELP_IN_FRENCH: Readonly<Record<string, string>> = {
  ...HELP_OF_SMSC,
  ...HELP_OF_WHATSAPP_SIM,
};
