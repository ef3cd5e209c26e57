/** Short names of errors in the reader's language. */
import { computed } from "@preact/signals";
import en from "../../../i18n/en/console/errors.json" with { type: "json" };
import fr from "../../../i18n/fr/console/errors.json" with { type: "json" };
import type { ErrorsWords } from "../../../i18n/words.gen.d.ts";
import { localizeWords } from "./words.ts";

const groups = localizeWords<ErrorsWords>(en, fr);

/** In groups, in the order of the page. */
export const errorWords = computed(() => Object.values(groups.value));
