/** The operators of the year: simulated centres, each a process, and what came to the handsets by them. */
import type { SmscEvent } from "../../src/simulator/events.ts";
import { type Going, going } from "../rehearse/going.ts";

export type HandsetsText = { readonly to: string; readonly from: string; readonly text: string };

export type Operator = {
  readonly code: string;
  readonly port: number;
  readonly isUp: () => boolean;
  /** Starts it again on its port. */
  readonly start: (...flags: string[]) => Promise<void>;
  readonly kill: () => Promise<void>;
  /** Whole texts on handsets, of all its lives. */
  readonly texts: () => readonly HandsetsText[];
  /** How many `submit_sm` it has had, of all its lives. */
  readonly submits: () => number;
};

/** Starts an operator on a free port of the loopback, or on one. */
export async function operatorOf(
  code: string,
  executable: readonly string[],
  usual: readonly string[],
): Promise<Operator> {
  const lives: { readonly process: Going; readonly seen: Seen }[] = [];
  let isUp = false;
  let port = 0;
  const start = async (...flags: string[]): Promise<void> => {
    const process = going([...executable, "smsc", "--json", `--port=${port}`, ...usual, ...flags]);
    lives.push({ process, seen: seenIn(process.lines) });
    port = (JSON.parse(await process.line('"listening"')) as { port: number }).port;
    isUp = true;
  };
  await start();
  return {
    code,
    port,
    isUp: () => isUp,
    start,
    kill: async () => {
      isUp = false;
      await lives.at(-1)?.process.kill();
    },
    texts: () => lives.flatMap(({ seen }) => seen().texts),
    submits: () => lives.reduce((sum, { seen }) => sum + seen().submits, 0),
  };
}

type Seen = () => { readonly texts: readonly HandsetsText[]; readonly submits: number };

/** Reads each line once. */
function seenIn(lines: readonly string[]): Seen {
  const texts: HandsetsText[] = [];
  let submits = 0;
  let read = 0;
  return () => {
    for (; read < lines.length; read++) {
      const line = lines[read] ?? "";
      if (!line.includes('"kind":"text"') && !line.includes('"kind":"submit"')) continue;
      const event = JSON.parse(line) as SmscEvent;
      if (event.kind === "text") texts.push({ to: event.to, from: event.from, text: event.text });
      if (event.kind === "submit") submits += 1;
    }
    return { texts, submits };
  };
}

/** Texts that a handset has more than once: number, text and how often. */
export function repeated(
  texts: readonly HandsetsText[],
): readonly (HandsetsText & { readonly times: number })[] {
  const counts = new Map<string, HandsetsText & { times: number }>();
  for (const text of texts) {
    const key = `${text.to}/${text.text}`;
    const known = counts.get(key);
    if (known) known.times += 1;
    else counts.set(key, { ...text, times: 1 });
  }
  return [...counts.values()].filter(({ times }) => times > 1);
}
