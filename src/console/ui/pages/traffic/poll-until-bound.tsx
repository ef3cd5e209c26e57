/** Looks at connections again until they are bound. */
import { useEffect } from "preact/hooks";
import { every } from "../../browser.ts";

const LOOK_MS = 2000;
/** A connection that is not bound by then waits for somebody, and so does a session that nobody uses. */
const MAX_LOOKS = 60;

/** Polls while a connection is not bound, for two minutes at most, as long as the page is seen. */
export function usePollUntilBound(isBound: boolean, reload: () => Promise<void>): void {
  useEffect(() => {
    if (isBound) return;
    let looks = 0;
    return every(LOOK_MS, () => {
      if (document.visibilityState === "hidden" || looks >= MAX_LOOKS) return;
      looks += 1;
      void reload();
    });
  }, [isBound]);
}
