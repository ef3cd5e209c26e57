import { Button } from "../../kit/button.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { characterWord, isSeen } from "./character-word.ts";
import { change } from "./form.ts";
import type { Guilty, TextWeight } from "./weigh-text.ts";

const MOST_SHOWN = 8;

type GuiltyProps = {
  /** The text as it is written, and as the first person would get it. */
  readonly weight: TextWeight;
  readonly filled: TextWeight;
  /** Whether they are replaced as it is sent. */
  readonly isReplaced: boolean;
  readonly onDone: () => void;
};

/** Which characters make a text dear, by name, what would stand in for them and what that saves. */
export function GuiltyCharacters({ weight, filled, isReplaced, onDone }: GuiltyProps) {
  const { text: words } = sending.value;
  const isOfValues = weight.guilty.length === 0;
  const { guilty, rewritten, segments } = isOfValues ? filled : weight;
  if (guilty.length === 0) return null;
  const smses = (count: number): string => figures.count(count, words.segments);
  const rewrite = (): void => {
    change(isOfValues ? { textPolicy: "rewrite" } : { text: rewritten?.text ?? "" });
    onDone();
  };
  return (
    <div class="notice">
      <p class="notice-title">{isOfValues ? words.guiltyValues : words.guilty}</p>
      <ul>
        {guilty.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.character}>{sentence(one)}</li>
        ))}
      </ul>
      {isReplaced && <p>{words.guiltyReplaced}</p>}
      {rewritten && !isReplaced && (
        <p>
          {rewritten.segments < segments
            ? words.saves(smses(segments), smses(rewritten.segments))
            : words.savesNothing}
        </p>
      )}
      {rewritten && !isReplaced && (
        <Button onPress={rewrite}>{isOfValues ? words.rewriteSent : words.rewrite}</Button>
      )}
    </div>
  );
}

function sentence({ character, replacement }: Guilty): string {
  const { text: words } = sending.value;
  const name = characterWord(character);
  const shown = isSeen(character) ? character : "␣";
  if (replacement === null) return words.guiltyStays(shown, name);
  if (replacement === "") return words.guiltyGone(name);
  return words.guiltyRow(shown, name, replacement === " " ? "␣" : replacement);
}
