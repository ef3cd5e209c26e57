import { Button } from "../../kit/button.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { characterNamed } from "./character-word.ts";
import { change, type RewriteRule } from "./form.ts";
import type { ShownQuote } from "./use-quote.ts";

const MOST_CHARACTERS = 6;

type DearProps = {
  readonly quote: ShownQuote;
  /** What becomes of rare characters as it stands. */
  readonly rule: RewriteRule;
  /** The notice goes with what was pressed in it: the focus needs another place. */
  readonly onChosen: () => void;
};

/** What rare characters cost, by name and place, and what replacing them saves; of those that are replaced, the way back. */
export function Dear({ quote, rule, onChosen }: DearProps) {
  const { check: words } = sending.value;
  const { dearer, rewritten } = quote;
  const choose = (textPolicy: RewriteRule): void => {
    change({ textPolicy });
    onChosen();
  };
  return (
    <>
      {rule !== "as_is" && rewritten.saved > 0 && (
        <div class="notice calm">
          <p>{words.replaced({ saved: figures.money(rewritten.saved) })}</p>
          <Example quote={quote} isChosen />
          <Button onPress={() => choose("as_is")}>{words.asWritten}</Button>
        </div>
      )}
      {dearer.messages > 0 && (
        <div class="notice">
          <p class="notice-title">{figures.count(dearer.messages, words.dear)}</p>
          <Characters quote={quote} />
          {rule === "as_is" && rewritten.saved > 0 && (
            <>
              <Example quote={quote} isChosen={false} />
              <Button onPress={() => choose("rewrite")}>
                {words.rewrite({ saved: figures.money(rewritten.saved) })}
              </Button>
            </>
          )}
        </div>
      )}
    </>
  );
}

function Characters({ quote }: { readonly quote: ShownQuote }) {
  const { check: words } = sending.value;
  return (
    <ul>
      {quote.dearer.characters.slice(0, MOST_CHARACTERS).map(({ character, in: where, messages }) => (
        <li key={`${character} ${where}`}>
          {words.dearIn({
            name: characterNamed(character),
            place: placeOf(where),
            messages: figures.count(messages, words.dearMessages),
          })}
        </li>
      ))}
    </ul>
  );
}

type ExampleProps = { readonly quote: ShownQuote; readonly isChosen: boolean };

/** One text as it will leave, or as it would. */
function Example({ quote, isChosen }: ExampleProps) {
  const { check: words } = sending.value;
  const [example] = quote.rewritten.examples;
  if (!example) return null;
  return (
    <p class="note">
      {(isChosen ? words.savesExample : words.wouldSave)({ before: example.before, after: example.after })}
    </p>
  );
}

function placeOf(where: string): string {
  const { check: words } = sending.value;
  return where === "body" ? words.inBody : words.inColumn({ column: where.replace(/^attribute:/, "") });
}
