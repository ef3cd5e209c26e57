/** Who is signed in, and what they may. */
import { signal } from "@preact/signals";
import type { Me, Permission } from "../../server/contract.ts";
import { callApi, onSignedOut } from "../api/client.ts";
import { kept } from "../browser.ts";
import { language, timezone } from "./choices.ts";

/** Undefined while nobody has asked yet, null when nobody is signed in. */
export const me = signal<Me | null | undefined>(undefined);

onSignedOut(() => {
  if (me.peek()) me.value = null;
});

/** Asks the server who is signed in. */
export async function loadMe(): Promise<void> {
  const answer = await callApi("GET /me", {});
  if (!answer.ok) {
    me.value = null;
    return;
  }
  const { value } = answer;
  if (value.timezone !== null) timezone.value = value.timezone;
  if (value.language !== null && kept("language") === null) language.value = value.language;
  me.value = value;
}

/** Whether who is signed in may do an operation of the table of roles. What may not be done is not shown. */
export function may(capability: Permission): boolean {
  return me.value?.capabilities.includes(capability) ?? false;
}

/** Signs out; false when the server did not hear of it: then the session goes on. */
export async function signOut(): Promise<boolean> {
  const { ok } = await callApi("POST /sign-out", {});
  if (ok) me.value = null;
  return ok;
}
