import { callApi } from "../api/client.ts";
import { CONSOLE_LANGUAGES, type ConsoleLanguage } from "../format.ts";
import { Choice } from "../kit/field.tsx";
import { chooseLanguage, chooseTheme, language, THEMES, theme } from "../state/choices.ts";
import { me } from "../state/session.ts";
import { words } from "../words/words.ts";

/** ConsoleLanguage and appearance. The language of who is signed in goes with them to other devices. */
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
        options={CONSOLE_LANGUAGES.map((value) => ({ value, label: text.languages[value] }))}
        onValue={choose}
      />
      <Choice
        label={text.theme}
        value={theme.value}
        options={THEMES.map((value) => ({ value, label: text.themes[value] }))}
        onValue={chooseTheme}
      />
    </div>
  );
}
