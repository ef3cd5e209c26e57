/** The page of what waits says why it waits, whatever holds it. */

import { expect, test } from "vitest";
import { renderHolds, sumWaiting, type WaitingRow } from "../../src/console/ui/pages/traffic/queue-holds.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { english } from "../../src/i18n/text.ts";
import type { TrafficWords } from "../../src/i18n/words.gen.d.ts";
import { wordsIn } from "../kit/page-words.ts";

const TRAFFIC_EN = wordsIn<TrafficWords>("en", "traffic");
const TRAFFIC_FR = wordsIn<TrafficWords>("fr", "traffic");

const row = (changes: Partial<WaitingRow> = {}): WaitingRow => ({
  operator: "orange",
  name: "Orange",
  message_class: "OTP",
  messages: 0,
  held: {},
  oldest_at: null,
  waiting_since: null,
  worth_until: null,
  rate: 0,
  empty_at: null,
  pause: null,
  away: null,
  ...changes,
});
const said = (words: typeof TRAFFIC_EN, one: WaitingRow) =>
  renderHolds(one, {
    words: words.queue,
    time: (instant) => instant.slice(11, 16),
    clock: (instant) => instant.slice(11, 19),
    said: english,
    counted: (count, what) => `${count}: ${what}`,
  });

const PAUSE = { reason: "incident", by: "oumar@example.bf", since: "2026-03-02T00:36:00.000Z" };

test("two messages of a paused operator are two messages, and it is said who paused it, when and why", () => {
  const paused = row({ held: { operator_paused: 2 }, pause: PAUSE });
  expect(sumWaiting(paused)).toBe(2);
  expect(said(TRAFFIC_FR, paused)).toEqual([
    "L’opérateur est en pause depuis le 00:36, par oumar@example.bf : incident",
  ]);
  expect(said(TRAFFIC_EN, paused)).toEqual([
    "The operator has been paused since 00:36, by oumar@example.bf: incident",
  ]);
});

test("while no connection is up it is said since when, why, and when the next is tried", () => {
  const away = {
    since: "2026-03-02T00:20:00.000Z",
    why: phrase("link.closed"),
    next_attempt_at: "2026-03-02T00:21:00.000Z",
  };
  expect(said(TRAFFIC_FR, row({ messages: 3, away }))).toEqual([
    "L’opérateur n’est pas connecté depuis le 00:20 : the connection was closed",
    "Prochain essai de connexion à 00:21:00.",
  ]);
  expect(said(TRAFFIC_EN, row({ messages: 3, away: { ...away, why: null, next_attempt_at: null } }))).toEqual(
    ["The operator is not connected since 00:20"],
  );
});

test("what else holds some is counted, what leaves says until when, and no reason is left out", () => {
  const leaving = row({
    messages: 5,
    held: { marketing_hours: 4 },
    rate: 5,
    empty_at: "2026-03-02T00:40:00.000Z",
  });
  expect(sumWaiting(leaving)).toBe(9);
  expect(said(TRAFFIC_FR, leaving)).toEqual([
    "4: hors des heures de marketing",
    "Rien : ils partent.",
    "À ce rythme, tout sera parti à 00:40.",
  ]);
  expect(said(TRAFFIC_EN, row({ messages: 5, rate: null }))).toEqual(["No connection is open."]);
});
