/** The words of the pages about traffic, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { TRAFFIC_EN } from "./traffic-en.ts";
import { TRAFFIC_FR } from "./traffic-fr.ts";

export const traffic = computed(() => (language.value === "fr" ? TRAFFIC_FR : TRAFFIC_EN));
