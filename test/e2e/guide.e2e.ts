/** The programs of the guide for clients, each in one of the readers' languages; the other is run at night. */
import { CHECKED } from "./guide-blocks.ts";
import { describeBrokenWays, describePrograms } from "./guide-programs.ts";

describePrograms(CHECKED);
describeBrokenWays();
