import { useEffect } from "preact/hooks";
import { every } from "../browser.ts";

/** How often what goes on is looked at. */
const LOOKED_EVERY_MS = 2000;

/** Asks anew every two seconds as long as something goes on, while the page is seen. The page tells what fails. */
export function usePollWhile(goesOn: boolean, reload: () => void): void {
  useEffect(() => {
    if (!goesOn) return;
    const look = (): void => {
      if (document.visibilityState !== "hidden") reload();
    };
    return every(LOOKED_EVERY_MS, look);
  }, [goesOn]);
}
