/** The English pages of the documentation; the check has the French ones. */
import { describeDocsBarriers } from "./docs-barriers.ts";

describeDocsBarriers("en");
