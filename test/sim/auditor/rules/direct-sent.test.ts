import { describe, expect, test } from "vitest";
import { type AtRest, type CloudScene, cloudHistory, type SceneOptions } from "../cloud-scene.ts";
import { directSent } from "./direct-sent.ts";

const FREE = { body: "Votre colis {x} arrive." } as const;
const MAY: SceneOptions = { numbers: { main: { direct_send: true } }, accounts: { alpha: ["main"] } };
const MAY_NOT: SceneOptions = { accounts: { alpha: ["main"] } };
const UNKNOWN: SceneOptions = { accounts: { alpha: [] } };
const wordsOf = (during: (kit: CloudScene) => void, options: SceneOptions, atRest: AtRest = {}) =>
  directSent(
    cloudHistory(during, { messages: [[1, { message_class: "TRANSACTIONAL" }]], ...atRest }, options),
  ).map(({ what }) => what);
const has = (...words: string[]) => words.map((each) => expect.stringContaining(each));

describe("direct-sent", () => {
  test("sees text without a template accepted where its number may not send it, or of MARKETING", () => {
    const of = (messageClass: "OTP" | "MARKETING") => (kit: CloudScene) =>
      kit.submit(1, { ...FREE, messageClass });
    expect(wordsOf(of("OTP"), MAY)).toEqual([]);
    expect(wordsOf(of("OTP"), MAY_NOT)).toEqual(has("by a number without direct_send"));
    expect(wordsOf(of("MARKETING"), MAY)).toEqual(has("MARKETING batch"));
    expect(wordsOf(of("MARKETING"), UNKNOWN)).toEqual([]);
  });

  test("sees it posted where the leave is gone", () => {
    const posted = (kit: CloudScene) => {
      kit.submit(1, { ...FREE, messageClass: "TRANSACTIONAL" });
      kit.post(1, { isFree: true, ttl: 600 });
    };
    expect(wordsOf(posted, MAY)).toEqual([]);
    expect(wordsOf(posted, MAY_NOT)).toEqual(has("by a number without direct_send", "and must have one"));
  });
});

describe("direct-dear", () => {
  const shown: AtRest = { messages: [1, 2, 3].map((n) => [n, { message_class: "TRANSACTIONAL" }] as const) };
  const sent = (kit: CloudScene, n: number, category: string) => {
    kit.submit(n, { ...FREE, messageClass: "TRANSACTIONAL" });
    kit.scene.wait();
    kit.told(kit.post(n, { isFree: true, ttl: 600 }), "delivered", category);
    kit.scene.wait(15_000);
  };
  const through =
    (...categories: string[]) =>
    (kit: CloudScene) => {
      categories.forEach((category, place) => void sent(kit, place + 1, category));
    };

  test("sees text go on that was billed otherwise twice, until somebody lets it", () => {
    const dear = wordsOf(through("marketing", "marketing", "utility"), MAY, shown);
    expect(dear).toEqual(has("two deliveries of text without a template (utility)"));
    expect(wordsOf(through("marketing", "utility", "utility"), MAY, shown)).toEqual([]);
    const released = (kit: CloudScene) => {
      through("marketing", "marketing")(kit);
      kit.scene.command(
        "whatsapp release",
        { NAME: "whatsapp:main", LANGUAGE: "TRANSACTIONAL" },
        { data: {} },
      );
      kit.scene.wait();
      sent(kit, 3, "utility");
    };
    expect(wordsOf(released, MAY, shown)).toEqual([]);
  });
});

describe("direct-life", () => {
  test.each([
    ["TRANSACTIONAL", 29, true],
    ["TRANSACTIONAL", 30, false],
    ["TRANSACTIONAL", 43_200, false],
    ["TRANSACTIONAL", 43_201, true],
    ["OTP", 900, false],
    ["OTP", 901, true],
  ] as const)("of %s is not %d s: %s", (messageClass, ttl, isWrong) => {
    const posted = (kit: CloudScene) => {
      kit.submit(1, { ...FREE, messageClass });
      kit.post(1, { isFree: true, ttl });
    };
    const found = wordsOf(posted, MAY, { messages: [[1, { message_class: messageClass }]] });
    expect(found).toEqual(isWrong ? has("lets Meta try for") : []);
  });
});
