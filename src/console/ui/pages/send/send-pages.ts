/** The page "Send", whose code is loaded when somebody opens it. */
import { language } from "../../state/preferences.ts";
import { lazyPage, type PageEntry } from "../lazy-page.tsx";

const NAMES = { en: "Send", fr: "Envoyer" };

export const SEND_PAGES: readonly PageEntry[] = [
  {
    path: "/console/send",
    component: lazyPage(async () => (await import("./send.tsx")).Send),
    capability: "batches.send",
    entry: { group: "work", name: () => NAMES[language.value], letter: "e" },
  },
];
