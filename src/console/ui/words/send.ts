/** The words of the page "Send", in the reader's language. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";
import { SEND_EN } from "./send-en.ts";
import { SEND_FR } from "./send-fr.ts";

export const sending = computed(() => (language.value === "fr" ? SEND_FR : SEND_EN));
