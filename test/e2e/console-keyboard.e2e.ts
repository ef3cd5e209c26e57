/** The main act of every page by the keyboard alone, of three roles on one kind of screen each; all others are walked at night. */
import { CHECKED, describeMainActs } from "./console-main-acts.ts";

describeMainActs(CHECKED);
