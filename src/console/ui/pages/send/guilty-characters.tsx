import { Button } from "../../kit/button.tsx";
import { sending } from "../../words/send.ts";
import { figures } from "../../words/words.ts";
import { characterWord, isSeen } from "./character-word.ts";
import { change } from "./form.ts";
import type { Guilty, TextWeight } from "./weigh-text.ts";

const MOST_SHOWN = 8;

/** Which characters make a text dear, by name, what would stand in for them and what that saves. */
export function GuiltyCharacters({ weight }: { readonly weight: TextWeight }) {
  const { text: words } = sending.value;
  const { guilty, rewritten, segments } = weight;
  if (guilty.length === 0) return null;
  const smses = (count: number): string => figures.count(count, words.segments);
  return (
    <div class="notice">
      <p class="notice-title">{words.guilty}</p>
      <ul>
        {guilty.slice(0, MOST_SHOWN).map((one) => (
          <li key={one.character}>{sentence(one)}</li>
        ))}
      </ul>
      {rewritten && (
        <p>
          {rewritten.segments < segments
            ? words.saves(smses(segments), smses(rewritten.segments))
            : words.savesNothing}
        </p>
      )}
      {rewritten && <Button onPress={() => change({ text: rewritten.text })}>{words.rewrite}</Button>}
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
