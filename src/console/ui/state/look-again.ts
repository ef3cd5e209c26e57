import { useEffect } from "preact/hooks";
import { every } from "../browser.ts";

/** How often what goes on is looked at. */
const LOOKED_EVERY_MS = 2000;

/** Asks anew every two seconds as long as something goes on, while the page is seen. */
export function useLookAgain(goesOn: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (!goesOn) return;
    const look = (): void => {
      if (document.visibilityState !== "hidden") void reload();
    };
    return every(LOOKED_EVERY_MS, look);
  }, [goesOn]);
}
