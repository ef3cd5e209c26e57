/** Scenes of reports and of the pages about the appliance itself, over samples. */
import type { Page } from "playwright-core";
import type { Me } from "../../src/console/server/sign-in-contract.ts";
import { STAFF_ME } from "../../test/console/sample.ts";

/** A page by its file's name: where it is, who sees it, and what is done before the picture. */
export type Scene = {
  readonly name: string;
  readonly path: string;
  readonly who?: Me;
  readonly act?: (page: Page) => Promise<void>;
};

const drawn = async (page: Page): Promise<void> => {
  await page.locator("canvas").first().waitFor();
  await page.mouse.move(0, 0);
};

export const APPLIANCE_SCENES: readonly Scene[] = [
  { name: "reports", path: "/console/reports", who: STAFF_ME, act: drawn },
  { name: "reports-operator", path: "/console/reports?by=operator", who: STAFF_ME, act: drawn },
  { name: "reports-of-errors", path: "/console/reports?by=error&days=own", who: STAFF_ME, act: drawn },
  {
    name: "operator-routes",
    path: "/console/operators/orange",
    who: STAFF_ME,
    act: (page) => page.locator("main table").nth(1).waitFor(),
  },
  { name: "margin", path: "/console/margin", who: STAFF_ME },
  { name: "margin-day", path: "/console/margin?by=day", who: STAFF_ME },
  { name: "margin-none", path: "/console/margin?by=operator", who: STAFF_ME },
];
