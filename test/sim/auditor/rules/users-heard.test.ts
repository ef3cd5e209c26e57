import { describe, expect, test } from "vitest";
import { historyOf } from "../history.ts";
import { opening, registered, type Scene, SETTINGS } from "../scene.ts";
import { usersHeard } from "./users-heard.ts";

const PHONE = { metadata: { phone_number_id: "100" } };
const NUMBERS = { main: { phone_number_id: "100" }, other: { phone_number_id: "200" } };
const AWA = "22607000001";

let calls = 0;
function call(scene: Scene, change: object, isTaken = true): void {
  calls += 1;
  scene.see({
    kind: "call",
    id: calls,
    body: JSON.stringify({ entry: [{ changes: [change] }] }),
    isForged: false,
  });
  scene.see({ kind: "call answer", id: calls, status: isTaken ? 200 : 503 });
}
const textOf = (id: string, body = "bonjour") => ({
  field: "messages",
  value: { ...PHONE, messages: [{ id, from: AWA, type: "text", text: { body } }] },
});
const saidAt = (timestamp: number, value: string, phone: object = PHONE) => ({
  field: "user_preferences",
  value: { ...phone, user_preferences: [{ wa_id: AWA, value, timestamp: String(timestamp) }] },
});

function wordsOf(
  during: (scene: Scene) => void,
  texts: readonly object[] = [],
  listed: readonly object[] = [],
) {
  const scene = opening();
  scene.see({ kind: "settings", document: { ...SETTINGS, whatsapp: { numbers: NUMBERS } } });
  registered(scene, "alpha", "whatsapp:main");
  during(scene);
  scene.wait(20_000);
  scene.see({ kind: "rest" });
  scene.command("inbound list", { limit: "1000" }, { data: { texts, next_before: null } });
  scene.command(
    "suppression list",
    { ACCOUNT: "alpha" },
    { data: { suppressions: listed, next_after: null } },
  );
  return usersHeard(historyOf(scene.observations)).map(({ what }) => what);
}
const row = { operator: "whatsapp:main", from: `+${AWA}`, text: "bonjour" };
const stop = { msisdn: `+${AWA}`, message_class: "MARKETING", source: "META" };

describe("texts-kept", () => {
  const twice = (scene: Scene) => {
    call(scene, textOf("wamid.1"));
    call(scene, textOf("wamid.1"));
  };

  test("lets a text be there once that Meta called for twice", () => {
    expect(wordsOf(twice, [row])).toEqual([]);
  });

  test("sees one that is not there, one that is there twice, and one that nobody wrote", () => {
    expect(wordsOf(twice)).toEqual([expect.stringContaining("0 are listed")]);
    expect(wordsOf(twice, [row, row])).toEqual([expect.stringContaining("2 are listed")]);
    expect(wordsOf(() => {}, [row])).toEqual([expect.stringContaining("nobody wrote")]);
    expect(wordsOf(twice, [row, { ...row, text: "STOP" }])).toEqual([
      expect.stringContaining("nobody wrote"),
    ]);
  });

  test("takes what was pressed and chosen as what it says", () => {
    const pressed = (what: object) => (scene: Scene) =>
      call(scene, { field: "messages", value: { ...PHONE, messages: [{ id: "w", from: AWA, ...what }] } });
    const listed = [{ ...row, text: "STOP" }];
    expect(wordsOf(pressed({ type: "button", button: { text: "STOP" } }), listed)).toEqual([]);
    const reply = { type: "list_reply", list_reply: { id: "1", title: "STOP" } };
    expect(wordsOf(pressed({ type: "interactive", interactive: reply }), listed)).toEqual([]);
  });

  test("leaves open what was not answered", () => {
    const open = (scene: Scene) => call(scene, textOf("wamid.2"), false);
    expect([wordsOf(open), wordsOf(open, [row])]).toEqual([[], []]);
  });
});

describe("preferences-kept", () => {
  const disordered = (scene: Scene) => {
    call(scene, saidAt(200, "stop"));
    call(scene, saidAt(100, "resume"));
  };

  test("takes the newest, in whatever order it was told", () => {
    expect(wordsOf(disordered, [], [stop])).toEqual([]);
    expect(wordsOf(disordered)).toEqual([expect.stringContaining("is not suppressed")]);
  });

  test("sees a resume that was ignored, and one that lifts what was said to another number", () => {
    const resumed = (phone?: object) => (scene: Scene) => {
      call(scene, saidAt(100, "stop"));
      call(scene, saidAt(200, "resume", phone));
    };
    expect(wordsOf(resumed())).toEqual([]);
    expect(wordsOf(resumed(), [], [stop])).toEqual([expect.stringContaining("is suppressed")]);
    const elsewhere = resumed({ metadata: { phone_number_id: "200" } });
    expect(wordsOf(elsewhere, [], [stop])).toEqual([]);
    expect(wordsOf(elsewhere)).toEqual([expect.stringContaining("is not suppressed")]);
  });

  test("looks at no number that is not ours", () => {
    const other = (scene: Scene) =>
      call(scene, saidAt(100, "stop", { metadata: { phone_number_id: "300" } }));
    expect(wordsOf(other)).toEqual([]);
  });
});
