/** The words of the pages about alarms, the appliance, backups and the audit, in the reader's language. */
import en from "../../../i18n/en/console/appliance.json" with { type: "json" };
import fr from "../../../i18n/fr/console/appliance.json" with { type: "json" };
import type { ApplianceWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const appliance = localizeWords<ApplianceWords>(en, fr);
