/** The frame of pages for those who are not signed in, and the choice of language and theme. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { callApi } from "../api/client.ts";
import { drawBar, pageData } from "../browser.ts";
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from "../format.ts";
import { Choice, toOptions } from "../kit/kit.ts";
import { chooseLanguage, chooseTheme, language, THEMES, theme } from "../state/preferences.ts";
import { me } from "../state/session.ts";
import { words } from "../words/words.ts";

type GateProps = { readonly title: string; readonly lead?: string; readonly children: ComponentChildren };

/** The frame of pages for those who are not signed in. */
export function SignInLayout({ title, lead, children }: GateProps) {
  useEffect(() => {
    document.title = `${title} · ${words.value.brand}`;
  }, [title]);
  return (
    <div class="gate">
      <header>
        <Brand />
      </header>
      <main id="content" tabIndex={-1}>
        <h1>{title}</h1>
        {lead && <p class="lead">{lead}</p>}
        {children}
      </main>
      <footer>
        <Preferences />
      </footer>
    </div>
  );
}

/** Who sells, where clients look; to staff, and where nobody is named, the bendre, a drum made of a calabash, and its name. */
export function Brand() {
  const isForClients = !me.value || me.value.account !== null;
  const seller = isForClients ? pageData("seller") : "";
  const colour = seller === "" ? "" : pageData("colour");
  useEffect(() => drawBar(colour), [colour]);
  const logo = seller === "" ? "" : pageData("logo");
  const picture = logo === "" ? <Calabash /> : <img src={logo} alt="" />;
  return (
    <span class="brand">
      {picture}
      {seller || words.value.brand}
    </span>
  );
}

function Calabash() {
  return (
    <svg viewBox="0 0 24 24" aria-hidden="true">
      <ellipse cx="12" cy="7" rx="9" ry="3" class="brand-skin" />
      <path d="M3 7c0 9 4 14 9 14s9-5 9-14" class="brand-body" />
    </svg>
  );
}

/** Language and appearance. The language of a signed-in user follows them to other devices. */
export function Preferences() {
  const text = words.value;
  const choose = (wanted: ConsoleLanguage): void => {
    chooseLanguage(wanted);
    if (me.value) void callApi("POST /me/language", { body: { language: wanted } });
  };
  return (
    <div class="preferences">
      <Choice
        label={text.language}
        value={language.value}
        options={toOptions(CONSOLE_LANGUAGES, (value) => text.languages[value])}
        onValue={choose}
      />
      <Choice
        label={text.theme}
        value={theme.value}
        options={toOptions(THEMES, (value) => text.themes[value])}
        onValue={chooseTheme}
      />
    </div>
  );
}
