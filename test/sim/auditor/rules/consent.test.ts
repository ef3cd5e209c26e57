import { describe, expect, test } from "vitest";
import { type AtRest, type CloudScene, cloudHistory, type SceneOptions } from "../cloud-scene.ts";
import { consent } from "./consent.ts";

const wordsOf = (during: (kit: CloudScene) => void, atRest: AtRest = {}, options: SceneOptions = {}) =>
  consent(cloudHistory(during, { messages: [[1, {}]], ...atRest }, options)).map(({ what }) => what);
const has = (...words: string[]) => words.map((each) => expect.stringContaining(each));
const KEYWORD = { lists: { alpha: [{ source: "KEYWORD" }] } };
const META = { lists: { alpha: [{ source: "META" }] } };

describe("consent-stopped", () => {
  const waits =
    (stops: (kit: CloudScene) => void, afterMs = 15_000) =>
    (kit: CloudScene) => {
      kit.submit(1);
      kit.scene.wait();
      stops(kit);
      kit.scene.wait(afterMs);
      kit.post(1);
    };

  test.each(["STOP", "arrêt !", "Désabonner svp"])("sees what was posted long after %j", (word) => {
    expect(
      wordsOf(
        waits(({ says }) => says(word)),
        KEYWORD,
      ),
    ).toEqual(has("was posted at"));
  });

  test("lets be what was claimed before, and what no stop is about", () => {
    expect(
      wordsOf(
        waits(({ says }) => says("STOP"), 5000),
        KEYWORD,
      ),
    ).toEqual([]);
    expect(wordsOf(waits(({ says }) => says("Stop à la vente ambulante")))).toEqual([]);
    const isOpen = waits(({ call }) =>
      call(
        "user_preferences",
        { user_preferences: [{ wa_id: "22607000001", value: "stop", timestamp: "5" }] },
        false,
      ),
    );
    expect(wordsOf(isOpen)).toEqual([]);
  });

  test("takes the newest that was said in WhatsApp, whenever it was told", () => {
    const both = (first: CloudScene["prefers"] extends never ? never : ["stop" | "resume", number][]) =>
      waits(({ prefers }) => {
        for (const [value, at] of first) prefers(value, at);
      });
    expect(
      wordsOf(
        both([
          ["stop", 100],
          ["resume", 50],
        ]),
        META,
      ),
    ).toEqual(has("was posted at"));
    expect(
      wordsOf(
        both([
          ["stop", 100],
          ["resume", 200],
        ]),
      ),
    ).toEqual([]);
    expect(
      wordsOf(
        both([
          ["resume", 200],
          ["stop", 100],
        ]),
      ),
    ).toEqual([]);
  });

  test("sees a resume that lifted what the user wrote", () => {
    const lifted = waits(({ says, prefers }) => {
      says("STOP");
      prefers("resume", 200);
    });
    expect(wordsOf(lifted, KEYWORD)).toEqual(has("was posted at"));
  });

  test("lets go on what an administrator has lifted", () => {
    const removed = waits(({ says, scene }) => {
      says("STOP");
      scene.command(
        "suppression remove",
        { ACCOUNT: "alpha", MSISDN: "+22607000001", class: "MARKETING" },
        { data: {} },
      );
    });
    expect(wordsOf(removed)).toEqual([]);
  });

  test("sees marketing that is accepted afterwards", () => {
    const later = (kit: CloudScene) => {
      kit.says("STOP");
      kit.scene.wait(5000);
      kit.submit(1);
    };
    expect(wordsOf(later, KEYWORD)).toEqual(has("was accepted at"));
    const code = (kit: CloudScene) => {
      kit.says("STOP");
      kit.scene.wait(5000);
      kit.submit(1, { messageClass: "OTP" });
    };
    expect(wordsOf(code, KEYWORD)).toEqual([]);
  });
});

describe("consent-apart", () => {
  test("sees what the user wrote taken off the list", () => {
    expect(wordsOf(({ says }) => says("STOP"), KEYWORD)).toEqual([]);
    expect(wordsOf(({ says }) => says("STOP"), META)).toEqual(has("has it no more at rest"));
  });

  test("sees what an administrator said lifted by a resume", () => {
    const listed = ({ scene, prefers }: CloudScene) => {
      scene.command(
        "suppression add",
        { ACCOUNT: "alpha", MSISDN: "+22607000001", class: "all" },
        { data: {} },
      );
      prefers("stop", 100);
      prefers("resume", 200);
    };
    expect(wordsOf(listed, { lists: { alpha: [{ source: "ADMIN" }] } })).toEqual([]);
    expect(wordsOf(listed)).toEqual(has("by an administrator, and does not stand there"));
  });

  const APART = { accounts: { alpha: ["main"], beta: ["other"] } };
  const both = { lists: { alpha: [{ source: "KEYWORD" }], beta: [{ source: "KEYWORD" }] } };

  test("sees an account on whose number nobody said anything", () => {
    expect(wordsOf(({ says }) => says("STOP"), KEYWORD, APART)).toEqual([]);
    expect(wordsOf(({ says }) => says("STOP"), both, APART)).toEqual(has("does not concern beta"));
  });

  test("sees an account that sent nothing while another had", () => {
    const sent = (kit: CloudScene) => {
      kit.submit(1);
      kit.scene.wait();
      kit.post(1);
      kit.scene.wait(5000);
      kit.says("STOP");
    };
    const options = { accounts: { alpha: ["main"], beta: ["main"] } };
    expect(wordsOf(sent, KEYWORD, options)).toEqual([]);
    expect(wordsOf(sent, both, options)).toEqual(has("does not concern beta"));
    expect(wordsOf(({ says }) => says("STOP"), both, options)).toEqual([]);
  });
});
