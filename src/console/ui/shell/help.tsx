import { Dialog } from "../kit/dialog.tsx";
import { words } from "../words/words.ts";
import { isHelpOpen } from "./keyboard.ts";
import { entries } from "./navigation.tsx";

/** What the keys do. */
export function KeyboardHelp() {
  const text = words.value;
  const { keys } = text;
  const rows: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
    { keys: ["/"], does: keys.search },
    { keys: ["?"], does: keys.help },
    { keys: ["Esc"], does: keys.leave },
    ...entries().map(({ letter, name }) => ({ keys: ["g", letter], does: keys.goTo(name(text)) })),
  ];
  return (
    <Dialog title={keys.title} onClose={() => closeHelp()}>
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
      <form method="dialog" class="actions">
        <button type="submit" class="button">
          {text.close}
        </button>
      </form>
    </Dialog>
  );
}

function closeHelp(): void {
  isHelpOpen.value = false;
}
