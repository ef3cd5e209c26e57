import { dice } from "../dice.ts";
import { PROPERTIES } from "../properties.ts";
import { textTarget } from "../target.ts";

/** An input is the number of a property and the seed that it is drawn from: `3 77`. */
export const drawn = textTarget({
  name: "drawn",
  promise: "drawn PDUs, streams, sessions and receipts have the properties of properties.ts",
  words: [],
  draw: ({ below }) => `${below(PROPERTIES.length)} ${below(2 ** 32)}`,
  change: (_text, _other, { below }) => `${below(PROPERTIES.length)} ${below(2 ** 32)}`,
  isPumped: false,
  longest: 16,
  run: (text) => {
    const [which = 0, seed = 0] = text.split(" ").map((word) => Number.parseInt(word, 10) || 0);
    const property = PROPERTIES[which % PROPERTIES.length];
    property?.check(dice(seed));
    return property?.name ?? "";
  },
});
