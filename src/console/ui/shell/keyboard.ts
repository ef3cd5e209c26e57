/** What keys do anywhere: `/` searches, `?` explains, `g` and a letter goes to a page. Not while somebody types. */
import { signal } from "@preact/signals";
import { after } from "../browser.ts";
import { go } from "../state/router.ts";
import { entries } from "./navigation.tsx";

export const isHelpOpen = signal(false);

/** How long the letter after `g` is waited for. */
const CHORD_MS = 1500;
let isGoing = false;
let forget = () => {};

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest("input, select, textarea, dialog") !== null;
}

function press(event: KeyboardEvent): void {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
  if (isGoing) {
    isGoing = false;
    forget();
    const page = entries().find(({ letter }) => letter === event.key);
    if (page) go(page.to);
    return;
  }
  switch (event.key) {
    case "/":
      event.preventDefault();
      document.getElementById("search")?.focus();
      return;
    case "?":
      isHelpOpen.value = true;
      return;
    case "g":
      isGoing = true;
      forget = after(CHORD_MS, () => {
        isGoing = false;
      });
  }
}

export function followKeys(): () => void {
  document.addEventListener("keydown", press);
  return () => document.removeEventListener("keydown", press);
}
