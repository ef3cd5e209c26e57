/** The main act of every page by the keyboard alone, on two kinds of screens; the other two are walked at night. */
import { describeMainActs } from "./console-main-acts.ts";

describeMainActs([
  { language: "fr", width: 360 },
  { language: "en", width: 1440 },
]);
