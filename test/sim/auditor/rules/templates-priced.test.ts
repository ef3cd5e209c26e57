import { expect, test } from "vitest";
import { type AtRest, type CloudScene, cloudHistory } from "../cloud-scene.ts";
import { templatesPriced } from "./templates-priced.ts";

const SHOWN: AtRest["messages"] = [1, 2, 3].map((n) => [n, {}] as const);
const wordsOf = (during: (kit: CloudScene) => void, atRest: AtRest = {}) =>
  templatesPriced(cloudHistory(during, { messages: SHOWN, ...atRest })).map(({ what }) => what);
const has = (...words: string[]) => words.map((each) => expect.stringContaining(each));

const sent = (kit: CloudScene, n: number, category: string, isBillable = true) => {
  kit.submit(n);
  kit.scene.wait();
  kit.told(kit.post(n), "delivered", category, isBillable);
  kit.scene.wait(15_000);
};
const release = ({ scene }: CloudScene) => {
  scene.command("whatsapp release", { NAME: "offre", LANGUAGE: "fr" }, { data: {} });
  scene.wait();
};
const WAITS: AtRest = {
  templates: [{ name: "offre", waits_for_release: true }],
  alerts: [{ rule: "template_stopped", subject: "offre (fr)", state: "firing" }],
};
const GOES_ON: AtRest = { templates: [{ name: "offre", waits_for_release: false }] };

test("sees what is posted after two deliveries that were billed otherwise", () => {
  const dear = (kit: CloudScene) => {
    for (const n of [1, 2]) sent(kit, n, "utility");
    kit.submit(3);
    kit.post(3);
  };
  expect(wordsOf(dear, WAITS)).toEqual(has("two deliveries of offre were billed as another category"));
});

test("counts no delivery that is as its class, and none that is not billed", () => {
  const one = (category: string, isBillable: boolean) => (kit: CloudScene) => {
    sent(kit, 1, "utility");
    sent(kit, 2, category, isBillable);
    kit.submit(3);
    kit.post(3);
  };
  expect(wordsOf(one("marketing", true), GOES_ON)).toEqual([]);
});

test("begins anew when somebody has let it go on", () => {
  const released = (kit: CloudScene) => {
    for (const n of [1, 2]) sent(kit, n, "utility");
    release(kit);
    sent(kit, 3, "utility");
  };
  expect(wordsOf(released, GOES_ON)).toEqual([]);
});

test("sees one that nobody is told of, and one that stopped for nothing", () => {
  const two = (kit: CloudScene) => {
    for (const n of [1, 2]) sent(kit, n, "utility");
  };
  expect(wordsOf(two, WAITS)).toEqual([]);
  expect(wordsOf(two, GOES_ON)).toEqual(has("though two deliveries were billed otherwise"));
  expect(wordsOf(two, { ...WAITS, alerts: [] })).toEqual(has("its alarm is not firing"));
  expect(wordsOf((kit) => sent(kit, 1, "marketing"), WAITS)).toEqual(
    has("though nothing was billed otherwise"),
  );
});
