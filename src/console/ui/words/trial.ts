/** The words of a test message over an operator, in the reader's language. */
import en from "../../../i18n/en/console/trial.json" with { type: "json" };
import fr from "../../../i18n/fr/console/trial.json" with { type: "json" };
import type { TrialWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

export const trial = localizeWords<TrialWords>(en, fr);
