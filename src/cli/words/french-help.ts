import { HELP_OF_ACCOUNTS } from "./french-help-accounts.ts";
import { HELP_OF_THE_APPLIANCE } from "./french-help-appliance.ts";
import { HELP_OF_LOOKUPS } from "./french-help-lookup.ts";
import { HELP_OF_SMSC } from "./french-help-smsc.ts";
import { HELP_OF_TRAFFIC } from "./french-help-traffic.ts";
import { HELP_OF_WHATSAPP_SIM } from "./french-help-whatsapp-sim.ts";

/** What help says of commands, their places and flags: by the English sentence, wherever it stands. */
export const HELP_IN_FRENCH: Readonly<Record<string, string>> = {
  ...HELP_OF_ACCOUNTS,
  ...HELP_OF_TRAFFIC,
  ...HELP_OF_LOOKUPS,
  ...HELP_OF_SMSC,
  ...HELP_OF_WHATSAPP_SIM,
  ...HELP_OF_THE_APPLIANCE,
};
