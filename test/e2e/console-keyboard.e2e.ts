/** The main act of every page by the keyboard alone, each role on one kind of screen; all other screens are walked at night. */
import { CHECKED, describeMainActs } from "./console-main-acts.ts";

describeMainActs(CHECKED);
