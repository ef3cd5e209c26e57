import { expect, test } from "vitest";
import { ofName } from "../../src/console/ui/words/elision.ts";

test('the French "de" loses its vowel before a name that begins with one', () => {
  expect(["Orange Burkina Faso", "Étoile", "AT", "Moov", "Hello", "Yas", ""].map(ofName)).toEqual([
    ...["d’Orange Burkina Faso", "d’Étoile", "d’AT", "de Moov", "de Hello", "de Yas", "de "],
  ]);
});
