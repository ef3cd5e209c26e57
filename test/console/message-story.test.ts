/** The life of a message is told in the reader's words; what only technicians read stands apart. */

import { expect, test } from "vitest";
import { renderEvent } from "../../src/console/ui/pages/traffic/message-story.ts";
import message from "../../src/i18n/en/message.json" with { type: "json" };
import type { TrafficWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";

const TRAFFIC_EN = wordsIn<TrafficWords>("en", "traffic");
const TRAFFIC_FR = wordsIn<TrafficWords>("fr", "traffic");

const STATES: Readonly<Record<string, readonly [string, string]>> = { FAILED: ["Failed", "Échoué"] };
const english = {
  words: TRAFFIC_EN.messages,
  state: (state: string) => STATES[state]?.[0] ?? state,
};
const french = {
  words: TRAFFIC_FR.messages,
  state: (state: string) => STATES[state]?.[1] ?? state,
};

const event = (name: string, detail: string, segment: string | null = null, state: string | null = null) => ({
  at: "2026-03-02T00:36:00.000Z",
  event: name,
  part: null,
  connection: 1,
  detail,
  is_of_detail: false,
  segment,
  segment_state: state,
});

test("a receipt that came after the end says so in plain words, and what it said of which segment", () => {
  expect(renderEvent(event("receipt_after_end", "SMS 2 FAILED", "2", "FAILED"), french)).toMatchObject({
    title: "Un accusé est venu après la fin : rien ne change",
    detail: "SMS 2 · Échoué",
  });
  expect(renderEvent(event("receipt_after_end", "part 2 FAILED", "2", "FAILED"), english)).toMatchObject({
    title: "A receipt came after the end, and changes nothing",
    detail: "SMS 2 · Failed",
  });
});

test("ids and codes of the protocol are no part of the story", () => {
  for (const [name, detail] of [
    ["accepted_again", "SMS 1, identifiant a7f"],
    ["late_response", "a7f"],
    ["second_way", "RECIPIENT_UNREACHABLE 131026"],
    ["submit_sm", "n° 4 TEST (5/0)"],
  ] as const) {
    const { title, detail: told } = renderEvent(event(name, detail), french);
    expect(`${title} ${told}`).not.toMatch(/a7f|13102|TEST|submit_sm/);
  }
});

test("everything that happens to a message has a name in both languages", () => {
  const events = Object.keys(message).flatMap((key) => (key.startsWith("event.") ? key.slice(6) : []));
  expect(events.length).toBeGreaterThan(25);
  for (const words of [TRAFFIC_EN, TRAFFIC_FR]) {
    expect(Object.keys(words.messages.events).sort()).toEqual(events.toSorted());
  }
});
