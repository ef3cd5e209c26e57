/** The programs of the guide that receive webhooks, in the readers' language that the check leaves out. */
import { UNCHECKED } from "./guide-blocks.ts";
import { describeReceivers } from "./guide-receivers.ts";

describeReceivers(UNCHECKED);
