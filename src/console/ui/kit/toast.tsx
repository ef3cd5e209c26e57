/** What was done, said for a moment at the edge of the window. */
import { signal } from "@preact/signals";
import { after } from "../browser.ts";

const SHOWN_MS = 5000;
const said = signal<string | null>(null);
let cancel = () => {};

/** Shows for a moment that something was done. What must not be missed stands in the page instead. */
export function showToast(text: string): void {
  cancel();
  said.value = text;
  cancel = after(SHOWN_MS, () => {
    said.value = null;
  });
}

/** Where toasts are shown. Stands once, in the shell. */
export function Toasts() {
  return (
    <div class="toasts" role="status">
      {said.value !== null && <p class="toast">{said.value}</p>}
    </div>
  );
}
