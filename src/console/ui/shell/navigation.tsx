import { PAGES } from "../pages/pages.ts";
import { path } from "../state/router.ts";
import { may, me } from "../state/session.ts";
import { words } from "../words/words.ts";

/** The pages that who is signed in may open, by group. */
export function entries() {
  return PAGES.flatMap(({ path: to, capability, entry }) =>
    entry !== null && (capability === null || may(capability)) ? [{ to, ...entry }] : [],
  );
}

type Group = keyof typeof words.value.navigation;

/** Whoever belongs to an account has one group of their own for what is about it. */
function groupFor(group: Group): Group {
  const isTheirs = group === "clients" || group === "appliance";
  return me.value?.account && isTheirs ? "account" : group;
}

/** The list of pages. */
export function Navigation() {
  const text = words.value;
  const groups = Map.groupBy(entries(), ({ group }) => groupFor(group));
  return (
    <nav id="menu" aria-label={text.menu}>
      {[...groups].map(([group, pages]) => (
        <div key={group}>
          <p class="group">{text.navigation[group]}</p>
          <ul>
            {pages.map(({ to, name }) => (
              <li key={to}>
                <a href={to} aria-current={path.value === to ? "page" : undefined}>
                  {name(text)}
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
