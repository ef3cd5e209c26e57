/** The life of a message is told in the reader's words; what only technicians read stands apart. */

import { expect, test } from "vitest";
import { storyOf } from "../../src/console/ui/pages/traffic/message-story.ts";
import type { TrafficWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";
import { textOf } from "../tidy/source.ts";

const TRAFFIC_EN = wordsIn<TrafficWords>("en", "traffic");
const TRAFFIC_FR = wordsIn<TrafficWords>("fr", "traffic");

const STATES: Readonly<Record<string, readonly [string, string]>> = { FAILED: ["Failed", "Échoué"] };
const english = {
  words: TRAFFIC_EN.messages,
  told: (text: string) => text,
  state: (state: string) => STATES[state]?.[0] ?? state,
};
const french = {
  words: TRAFFIC_FR.messages,
  told: (text: string) => text,
  state: (state: string) => STATES[state]?.[1] ?? state,
};

const event = (name: string, detail: string, part: string | null = null) => ({
  ...{ at: "2026-03-02T00:36:00.000Z", event: name, part, connection: 1, detail, is_of_detail: false },
});

test("a receipt that came after the end says so in plain words, and what it said of which segment", () => {
  expect(storyOf(event("receipt after the end", "SMS 2 FAILED"), french)).toMatchObject({
    title: "Un accusé est venu après la fin : rien ne change",
    detail: "SMS 2 · Échoué",
  });
  expect(storyOf(event("receipt after the end", "part 2 FAILED"), english)).toMatchObject({
    title: "A receipt came after the end, and changes nothing",
    detail: "SMS 2 · Failed",
  });
});

test("ids and codes of the protocol are no part of the story", () => {
  for (const [name, detail] of [
    ["accepted again", "SMS 1, identifiant a7f"],
    ["late response", "a7f"],
    ["second way", "RECIPIENT_UNREACHABLE 131026"],
    ["submit_sm", "n° 4 TEST (5/0)"],
  ] as const) {
    const { title, detail: told } = storyOf(event(name, detail), french);
    expect(`${title} ${told}`).not.toMatch(/a7f|13102|TEST|submit_sm/);
  }
});

test("everything that is noted of a message has a name in both languages", () => {
  const said = ["src/messages/decide.ts", "src/messages/decide-ways.ts"].flatMap((file) => [
    ...textOf(file).matchAll(/what: "([^"]+)"/g),
  ]);
  const notes = [
    ...said.map(([, what = ""]) => what),
    "late refusal",
    "more of it",
    "restored from a backup",
  ];
  expect(notes.length).toBeGreaterThan(12);
  for (const words of [TRAFFIC_EN, TRAFFIC_FR]) {
    expect(notes.filter((note) => words.messages.events[note] === undefined)).toEqual([]);
  }
});
