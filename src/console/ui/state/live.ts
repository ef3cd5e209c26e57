/** Live figures while the page is seen: the stream is closed when it is hidden, and opened again when it is not. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { LiveView } from "../../server/live/live-view.ts";
import { callApi } from "../api/client.ts";
import { listen } from "../browser.ts";

/** The last figures; null before the first. */
export const live = signal<LiveView | null>(null);
/** Whether the stream is interrupted now; the browser reconnects by itself. */
export const isLost = signal(false);

/** A refused stream means an ended session: the next request leads to signing in. */
async function noteLost(isOver: boolean): Promise<void> {
  isLost.value = true;
  if (isOver) await callApi("GET /me");
}

/** Follows the figures as long as the component stands. */
export function useLive(): void {
  useEffect(() => {
    let close = () => {};
    const follow = () => {
      close();
      close = () => {};
      if (document.visibilityState === "hidden") return;
      close = listen("/console/api/live", {
        data: (text) => {
          isLost.value = false;
          live.value = JSON.parse(text) as LiveView;
        },
        lost: (isOver) => void noteLost(isOver),
      });
    };
    document.addEventListener("visibilitychange", follow);
    follow();
    return () => {
      document.removeEventListener("visibilitychange", follow);
      close();
      live.value = null;
    };
  }, []);
}
