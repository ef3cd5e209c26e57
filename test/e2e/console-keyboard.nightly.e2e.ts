/** The main act of every page by the keyboard alone, on the screens that the check leaves out. */
import { describeMainActs } from "./console-main-acts.ts";

describeMainActs([
  { language: "fr", width: 1440 },
  { language: "en", width: 360 },
]);
