import { Dialog } from "../kit/dialog.tsx";
import { language } from "../state/choices.ts";
import { words } from "../words/words.ts";
import { isHelpOpen } from "./keyboard.ts";
import { entries } from "./navigation.tsx";

/** Where more is explained, what the words of the trade mean, and what the keys do. */
export function Help() {
  const { help, glossary, close } = words.value;
  return (
    <Dialog title={help.title} onClose={() => closeHelp()}>
      <p>
        <a href={`/docs/${language.value}`} target="_blank" rel="noopener">
          {help.docs}
        </a>
      </p>
      <p class="note">{help.docsNote}</p>
      <details>
        <summary>{help.words}</summary>
        <dl class="terms">
          {Object.entries(help.terms).map(([term, name]) => (
            <div key={term}>
              <dt>{name}</dt>
              <dd>{(glossary as Readonly<Record<string, string>>)[term]}</dd>
            </div>
          ))}
        </dl>
      </details>
      <Keys />
      <form method="dialog" class="actions">
        <button type="submit" class="button">
          {close}
        </button>
      </form>
    </Dialog>
  );
}

function Keys() {
  const text = words.value;
  const { keys } = text;
  const rows: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
    { keys: ["/"], does: keys.search },
    { keys: ["?"], does: keys.help },
    { keys: ["Esc"], does: keys.leave },
    ...entries().map(({ letter, name }) => ({ keys: ["g", letter], does: keys.goTo({ page: name(text) }) })),
  ];
  return (
    <details>
      <summary>{keys.title}</summary>
      <dl class="keys">
        {rows.map(({ keys: pressed, does }) => (
          <div key={does}>
            <dt>
              {pressed.map((key, place) => (
                <span key={key}>
                  {place > 0 && ` ${keys.andThen} `}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function closeHelp(): void {
  isHelpOpen.value = false;
}
