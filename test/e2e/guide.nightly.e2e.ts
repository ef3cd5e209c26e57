/** The programs of the guide for clients in the readers' language that the check leaves out. */
import { UNCHECKED } from "./guide-blocks.ts";
import { describePrograms } from "./guide-programs.ts";

describePrograms(UNCHECKED);
