/** The main act of every page by the keyboard alone, for each role on the screens that the check leaves out. */

import { CHECKED, describeMainActs } from "./console-main-acts.ts";
import { ACTS } from "./console-more-acts.ts";

const WIDTHS = [1440, 360] as const;

describeMainActs(
  [...ACTS.keys()]
    .flatMap((role) =>
      (["fr", "en"] as const).flatMap((language) => WIDTHS.map((width) => ({ role, language, width }))),
    )
    .filter(
      (one) =>
        !CHECKED.some(
          ({ role, language, width }) =>
            role === one.role && language === one.language && width === one.width,
        ),
    ),
);
