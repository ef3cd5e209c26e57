/** What a person reads of the year: chapters, what was typed, what was seen, and which promises were kept. */

export type Story = {
  readonly chapter: (at: Date, title: string) => void;
  /** What somebody typed, or did, on a machine or as a client. */
  readonly typed: (who: string, line: string) => void;
  /** What was to be seen after that. */
  readonly saw: (words: string) => void;
  /** Says whether something is as it was promised; what was found instead is told where it is not. */
  readonly promise: (isKept: boolean, sentence: string, found?: unknown) => void;
  readonly kept: () => number;
  readonly broken: () => readonly string[];
};

const LONGEST = 200;

/** Tells line by line. */
export function storyTo(print: (line: string) => void): Story {
  let kept = 0;
  const broken: string[] = [];
  return {
    chapter: (at, title) => print(`\n${dayOf(at)}: ${title}`),
    typed: (who, line) => print(`  ${who}$ ${line}`),
    saw: (words) => print(`      ${words.length > LONGEST ? `${words.slice(0, LONGEST)}…` : words}`),
    promise: (isKept, sentence, found) => {
      if (isKept) {
        kept += 1;
        print(`    ✓ ${sentence}`);
        return;
      }
      const told = found === undefined ? sentence : `${sentence}: ${JSON.stringify(found)}`;
      broken.push(told);
      print(`    ✗ BROKEN ${told}`);
    },
    kept: () => kept,
    broken: () => broken,
  };
}

const DAY = new Intl.DateTimeFormat("en-GB", {
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});

function dayOf(at: Date): string {
  return DAY.format(at);
}
