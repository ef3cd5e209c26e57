/** The words of the pages about alarms, the appliance, backups and the audit, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { APPLIANCE_EN } from "./appliance-en.ts";
import { APPLIANCE_FR } from "./appliance-fr.ts";

export const appliance = computed(() => (language.value === "fr" ? APPLIANCE_FR : APPLIANCE_EN));
