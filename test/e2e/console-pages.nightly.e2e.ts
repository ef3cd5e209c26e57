/** The console's first pages in the languages, themes and widths that the check leaves out. */
import { describePages } from "./console-pages.ts";

describePages([
  { language: "fr", colorScheme: "light", width: 1440 },
  { language: "en", colorScheme: "dark", width: 1440 },
  { language: "en", colorScheme: "light", width: 360 },
]);
