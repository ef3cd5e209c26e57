/** The programs of the guide that receive webhooks, each in one of the readers' languages; the other is run at night. */
import { CHECKED } from "./guide-blocks.ts";
import { describeReceivers } from "./guide-receivers.ts";

describeReceivers(CHECKED);
