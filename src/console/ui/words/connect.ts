/** The words of connecting an operator, in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { CONNECT_EN } from "./connect-en.ts";
import { CONNECT_FR } from "./connect-fr.ts";

export const connect = computed(() => (language.value === "fr" ? CONNECT_FR : CONNECT_EN));
