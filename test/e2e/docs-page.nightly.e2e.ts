/** The pages of the documentation in the languages and colours that the check leaves out. */
import { describeDocsBarriers } from "./docs-barriers.ts";

describeDocsBarriers({
  axe: "en",
  looks: [
    ["en", "light"],
    ["fr", "dark"],
  ],
});
