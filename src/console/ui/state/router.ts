/** The current page. Filters stand in the address, so that a URL can be sent to a colleague. */
import { computed, signal } from "@preact/signals";

export const HOME = "/console";

const address = signal(here());

function here(): string {
  return location.pathname + location.search;
}

addEventListener("popstate", () => {
  address.value = here();
});

/** The path, without a slash at its end. */
export const path = computed(() => (address.value.split("?")[0] ?? "").replace(/(.)\/$/, "$1"));
/** The filters of the address. */
export const query = computed(
  () => new Map(new URLSearchParams(address.value.split("?")[1] ?? "")) as ReadonlyMap<string, string>,
);

/** Goes to a page of the console. */
export function go(to: string): void {
  history.pushState(null, "", to);
  address.value = here();
  scrollTo(0, 0);
}

/** Puts filters into the address; an empty one is removed. The page stays. */
export function filterBy(filters: Readonly<Record<string, string>>): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(filters)) {
    if (value === "") next.delete(name);
    else next.set(name, value);
  }
  const text = next.toString();
  history.replaceState(null, "", location.pathname + (text === "" ? "" : `?${text}`));
  address.value = here();
}

/** The parts of a path that a pattern names, as in `/console/batches/:batch`; null where it does not fit. */
export function fits(pattern: string, candidate: string): Readonly<Record<string, string>> | null {
  const wanted = pattern.split("/");
  const given = candidate.split("/");
  if (wanted.length !== given.length) return null;
  const parts: Record<string, string> = {};
  for (const [place, part] of wanted.entries()) {
    const word = given[place] ?? "";
    if (part.startsWith(":")) parts[part.slice(1)] = decodeURIComponent(word);
    else if (part !== word) return null;
  }
  return parts;
}

/** Opens links to pages of the console without reloading the page. */
export function followLinks(): void {
  document.addEventListener("click", (event) => {
    const asksForMore = event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0;
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (asksForMore || event.defaultPrevented || !link || link.target !== "" || link.hasAttribute("download"))
      return;
    const isOurs = link.origin === location.origin && link.pathname.startsWith(HOME);
    if (!isOurs || link.pathname.startsWith(`${HOME}/api`) || link.hash !== "") return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
