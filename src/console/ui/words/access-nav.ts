/** What the pages about access are called in the navigation: known before any of them is loaded. */
import { computed } from "@preact/signals";
import { language } from "../state/choices.ts";

const EN = { senders: "Senders", keys: "Keys", webhooks: "Webhooks", users: "Users" };
const FR: typeof EN = {
  senders: "Expéditeurs",
  keys: "Clés",
  webhooks: "Webhooks",
  users: "Utilisateurs",
};

export const accessNames = computed(() => (language.value === "fr" ? FR : EN));
