import { SENTENCES_OF_CAUSES } from "./french-sentences-causes.ts";
import { SENTENCES_OF_MESSAGES } from "./french-sentences-messages.ts";
import { SENTENCES_OF_OPERATOR_TESTS } from "./french-sentences-operators.ts";
import { SENTENCES_OF_SENDING } from "./french-sentences-sending.ts";
import { SENTENCES_OF_TRAFFIC } from "./french-sentences-traffic.ts";
import { SENTENCES_OF_UPKEEP } from "./french-sentences-upkeep.ts";

/** What refusals and warnings say; see sentences.ts. */
export const SENTENCES_IN_FRENCH: Readonly<Record<string, string>> = {
  ...SENTENCES_OF_OPERATOR_TESTS,
  ...SENTENCES_OF_UPKEEP,
  ...SENTENCES_OF_CAUSES,
  ...SENTENCES_OF_TRAFFIC,
  ...SENTENCES_OF_SENDING,
  ...SENTENCES_OF_MESSAGES,
};
