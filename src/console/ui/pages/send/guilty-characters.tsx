import { Button } from "../../kit/button.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { characterNamed } from "./character-word.ts";
import { change, form, replaceInText, takeBack } from "./form.ts";
import type { Guilty, TextWeight } from "./weigh-text.ts";

const MOST_SHOWN = 8;

type GuiltyProps = {
  /** The text as the first person would get it. */
  readonly filled: TextWeight;
  /** Whether the text has tags, which other rows fill in with something else. */
  readonly hasTags: boolean;
  /** Whether some of them stand in the text itself, and not only in what columns fill in. */
  readonly isOfText: boolean;
  /** The text with its own replaced, and what the first person's would weigh then; null where one cannot be. */
  readonly rewritten: { readonly text: string; readonly filled: TextWeight } | null;
  /** Whether they are replaced as it is sent. */
  readonly isReplaced: boolean;
  readonly onDone: () => void;
};

/** Which characters take more room than others, by name, what would stand in for them, what that saves, and the way back. */
export function GuiltyCharacters({ onDone, ...props }: GuiltyProps) {
  const { filled, isOfText, isReplaced } = props;
  const { text: words } = sending.value;
  if (filled.guilty.length === 0) return form.value.replaced && <Replaced onDone={onDone} />;
  return (
    <div class={filled.isDearer && !isReplaced ? "notice" : "notice calm"}>
      <p class="notice-title">{titleOf(filled.isDearer, isReplaced, isOfText)}</p>
      <ul>
        {filled.guilty.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.character}>{sentence(one, isReplaced)}</li>
        ))}
      </ul>
      {isReplaced ? (
        <>
          <p>{words.guiltyReplaced({ segments: smses(filled.rewritten?.segments ?? filled.segments) })}</p>
          <Button
            onPress={() => {
              change({ textPolicy: "as_is" });
              onDone();
            }}
          >
            {words.asWritten}
          </Button>
        </>
      ) : (
        <Offer {...props} onDone={onDone} />
      )}
    </div>
  );
}

function smses(count: number): string {
  return figures.count(count, sending.value.text.segments);
}

function titleOf(isDearer: boolean, isReplaced: boolean, isOfText: boolean): string {
  const { text: words } = sending.value;
  if (isReplaced) return words.guiltyGo;
  if (isDearer) return isOfText ? words.guilty : words.guiltyValues;
  return isOfText ? words.rare : words.rareValues;
}

/** What replacing them saves, and doing it: in the text where that does it, else as it is sent to each. */
function Offer({ filled, hasTags, rewritten, onDone }: GuiltyProps) {
  const { text: words } = sending.value;
  const isEnough = rewritten !== null && rewritten.filled.guilty.length === 0;
  const after = isEnough ? rewritten.filled : filled.rewritten;
  if (after === null) return filled.isDearer ? null : <p>{words.savesNothing}</p>;
  const rewrite = (): void => {
    if (isEnough) replaceInText(rewritten.text);
    else change({ textPolicy: "rewrite" });
    onDone();
  };
  return (
    <>
      <p>
        {after.segments < filled.segments
          ? words.saves({ before: smses(filled.segments), after: smses(after.segments) })
          : words.savesNothing}
      </p>
      {isEnough && hasTags && <p>{words.namesMayHoldMore}</p>}
      <Button onPress={rewrite}>{isEnough ? words.rewrite : words.rewriteSent}</Button>
    </>
  );
}

/** They were replaced in the text: the way back. */
function Replaced({ onDone }: Pick<GuiltyProps, "onDone">) {
  const { text: words } = sending.value;
  return (
    <div class="notice calm">
      <p>{words.replaced}</p>
      <Button
        onPress={() => {
          takeBack();
          onDone();
        }}
      >
        {words.takeBack}
      </Button>
    </div>
  );
}

/** What happens to a character as it is sent, or may happen to it. */
function sentence({ character, replacement }: Guilty, isReplaced: boolean): string {
  const { text: words } = sending.value;
  const name = characterNamed(character);
  if (replacement === null) return words.guiltyStays({ character: name });
  if (replacement === "") return (isReplaced ? words.guiltyGoes : words.guiltyMayGo)({ name });
  return (isReplaced ? words.guiltyBecomes : words.guiltyMayBecome)({
    character: name,
    replacement: replacement === " " ? "␣" : replacement,
  });
}
