/** Who is signed in, and what they may. */
import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Me, Permission } from "../../server/sign-in-contract.ts";
import { callApi, onSignedOut } from "../api/client.ts";
import { kept, markUnattended, nowMs, onInput } from "../browser.ts";
import { language, timezone } from "./preferences.ts";

/** Undefined before the first answer, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);

onSignedOut(() => {
  if (me.peek()) me.value = null;
});

/** Asks the server who is signed in. */
export async function loadMe(): Promise<void> {
  const answer = await callApi("GET /me");
  if (!answer.ok) {
    me.value = null;
    return;
  }
  const { value } = answer;
  if (value.timezone !== null) timezone.value = value.timezone;
  if (value.language !== null && kept("language") === null) language.value = value.language;
  me.value = value;
}

/** Whether the signed-in user may do an operation of the table of roles. What may not be done is not shown. */
export function may(capability: Permission): boolean {
  return me.value?.capabilities.includes(capability) ?? false;
}

/** Whether the appliance's own people are signed in, and not those of an account. */
export function isStaff(): boolean {
  return me.value?.account === null;
}

/** Signs out; false when the server was not reached: then the session goes on. */
export async function signOut(): Promise<boolean> {
  const { ok } = await callApi("POST /sign-out");
  if (ok) me.value = null;
  return ok;
}

// Whether anybody is at the page. Its own requests meanwhile, figures and progress, say so and keep nobody signed in; whoever reads
// or scrolls for long without a request is reported as present, so that they stay signed in.

/** Without input for so long, a user is taken to have left. */
const AWAY_MS = 60_000;
/** How often presence is reported. */
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
      await callApi("GET /me");
    });
    return () => {
      leave();
      markUnattended(() => false);
    };
  }, []);
}
