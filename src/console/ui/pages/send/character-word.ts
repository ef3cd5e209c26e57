import { sending } from "../../words/send.ts";

/** What people call a character. */
function characterWord(character: string): string {
  const { names, letter, emoji, sign } = sending.value;
  const known = names[character];
  if (known !== undefined) return known;
  if (/\p{L}/u.test(character)) return letter({ letter: character });
  if (/\p{Extended_Pictographic}/u.test(character)) return emoji;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${sign} U+${code}`;
}

/** A character with what it is called; a letter is named by itself already. */
export function characterNamed(character: string): string {
  const word = characterWord(character);
  return isSeen(character) && !word.includes(character) ? `${character} (${word})` : word;
}

/** Whether a character can be seen where it stands by itself. */
function isSeen(character: string): boolean {
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character);
}
