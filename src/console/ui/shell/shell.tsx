import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { Button } from "../kit/button.tsx";
import { ErrorBox } from "../kit/error-box.tsx";
import { Page } from "../kit/page.tsx";
import { Toasts } from "../kit/toast.tsx";
import { PAGES } from "../pages/pages.ts";
import { usePresence } from "../state/presence.ts";
import { fits, HOME, path } from "../state/router.ts";
import { may, me } from "../state/session.ts";
import { words } from "../words/words.ts";
import { Brand } from "./brand.tsx";
import { ConfirmAgain } from "./confirm-again.tsx";
import { Help } from "./help.tsx";
import { followKeys, isHelpOpen } from "./keyboard.ts";
import { Navigation } from "./navigation.tsx";
import { SearchBox } from "./search-box.tsx";

/** Whether the list of pages is open, where there is no room beside the page. */
const isMenuOpen = signal(false);

/** What stands around every page of somebody who is signed in. */
export function Shell() {
  useEffect(followKeys, []);
  usePresence();
  const here = path.value;
  useEffect(() => {
    isMenuOpen.value = false;
  }, [here]);
  const text = words.value;
  return (
    <div class={isMenuOpen.value ? "shell menu-open" : "shell"}>
      <a class="skip" href="#content">
        {text.skip}
      </a>
      <header class="top">
        <button
          type="button"
          class="menu-button"
          aria-expanded={isMenuOpen.value}
          aria-controls="menu"
          onClick={() => {
            isMenuOpen.value = !isMenuOpen.value;
          }}
        >
          {text.menu}
        </button>
        <a class="home" href={HOME}>
          <Brand />
        </a>
        {may("search") && <SearchBox />}
        <Who />
      </header>
      <div class="side">
        <Navigation />
      </div>
      <main id="content" tabIndex={-1}>
        {me.value?.renews_factor && (
          <p class="notice" role="status">
            {text.renewFactor} <a href={`${HOME}/you`}>{text.renewFactorLink}</a>
          </p>
        )}
        <Here />
      </main>
      <Toasts />
      <ConfirmAgain />
      {isHelpOpen.value && <Help />}
    </div>
  );
}

function Who() {
  const { roles } = words.value;
  const who = me.value;
  if (!who) return null;
  const role = (roles as Readonly<Record<string, string>>)[who.role] ?? who.role;
  return (
    <div class="who">
      <a href={`${HOME}/you`} title={who.login}>
        <span>{who.account?.name ?? words.value.theAppliance}</span>
        <span class="note">{role}</span>
      </a>
      <Button
        kind="quiet"
        label={words.value.help.title}
        onPress={() => {
          isHelpOpen.value = true;
        }}
      >
        ?
      </Button>
    </div>
  );
}

/** The page of the address; one that may not be seen is as if it were not there. */
function Here() {
  for (const { path: pattern, component: Component, capability } of PAGES) {
    const parts = fits(pattern, path.value);
    if (parts && (capability === null || may(capability)))
      return <Component key={path.value} parts={parts} />;
  }
  return (
    <Page title={words.value.errors.NOT_FOUND.title}>
      <ErrorBox problem={{ status: 404, code: "NOT_FOUND", detail: "" }} />
    </Page>
  );
}
