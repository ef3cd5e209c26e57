/**
 * Whether anybody is at the page. What it asks by itself meanwhile, figures and progress, says so and keeps nobody signed in; whoever reads
 * or scrolls for long without asking anything is told of, so that they stay in.
 */
import { useEffect } from "preact/hooks";
import { callApi } from "../api/client.ts";
import { nowMs, onInput, markUnattended } from "../browser.ts";

/** Who touched nothing for so long is taken to have left. */
const AWAY_MS = 60_000;
/** How often it is told that somebody is there. */
const TOLD_EVERY_MS = 5 * 60_000;

/** Follows what is typed, pointed at and scrolled, as long as the component stands. */
export function usePresence(): void {
  useEffect(() => {
    let touchedMs = nowMs();
    let toldMs = touchedMs;
    markUnattended(() => nowMs() >= touchedMs + AWAY_MS);
    const leave = onInput(async () => {
      touchedMs = nowMs();
      if (touchedMs < toldMs + TOLD_EVERY_MS) return;
      toldMs = touchedMs;
      await callApi("GET /me", {});
    });
    return () => {
      leave();
      markUnattended(() => false);
    };
  }, []);
}
