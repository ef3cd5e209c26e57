import { describe, expect, test } from "vitest";
import { historyOf } from "../history.ts";
import { opening, type Scene } from "../scene.ts";
import { usersHeard } from "./users-heard.ts";

const PHONE = { metadata: { phone_number_id: "100" } };
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
const saidAt = (timestamp: number, value: string) => ({
  field: "user_preferences",
  value: { ...PHONE, user_preferences: [{ wa_id: AWA, value, timestamp: String(timestamp) }] },
});
const news = (event: string) => ({
  field: "message_template_status_update",
  value: { event, message_template_name: "offre" },
});

function wordsOf(
  during: (scene: Scene) => void,
  texts: readonly object[] = [],
  listed: readonly object[] = [],
) {
  const scene = opening();
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
});

describe("templates-stopped", () => {
  test("sees a post by a template that was called paused, and none after another word", () => {
    const posted = (scene: Scene) => {
      scene.wait(15_000);
      const body = JSON.stringify({ to: AWA, template: { name: "offre" } });
      scene.see({ kind: "post", id: 1, phone: "100", token: "t", body, text: "x", category: "marketing" });
    };
    const paused = (scene: Scene) => {
      call(scene, news("PAUSED"));
      posted(scene);
    };
    const again = (scene: Scene) => {
      call(scene, news("PAUSED"));
      call(scene, news("APPROVED"));
      posted(scene);
    };
    expect(wordsOf(paused)).toEqual([expect.stringContaining("offre was called PAUSED")]);
    expect(wordsOf(again)).toEqual([]);
  });
});
