import { describe, expect, test } from "vitest";
import { opening, type Scene } from "../scene.ts";
import { found } from "./found.ts";
import { keys } from "./keys.ts";

const ASKED = { client: "alpha", path: "/account/balance" };
const OK = { status: 200, json: { data: {} } };
const REFUSED = { status: 401, json: { code: "UNAUTHORIZED" } };
const DONE = { data: {} };

function run(answer: Parameters<Scene["ask"]>[1], before: (scene: Scene) => void = () => {}): string {
  const scene = opening();
  before(scene);
  scene.ask(ASKED, answer);
  return found(scene, keys);
}

const suspend = (scene: Scene) => scene.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, DONE);
const resume = (scene: Scene) => scene.command("account resume", { ACCOUNT: "alpha" }, DONE);
const revoke = (scene: Scene) => scene.command("key revoke", { KEY_ID: "alpha" }, DONE);

describe("a key", () => {
  test("lets its account in", () => {
    expect(run(OK)).toBe("");
    expect(run(REFUSED)).toContain("kept-out");
  });

  test("that was revoked lets nobody in", () => {
    expect(run(REFUSED, revoke)).toBe("");
    expect(run(OK, revoke)).toContain("barred");
  });

  test("lets nobody in while its account is suspended, and does afterwards", () => {
    expect(run(REFUSED, suspend)).toBe("");
    expect(run(OK, suspend)).toContain("barred");
    const both = (scene: Scene) => {
      suspend(scene);
      resume(scene);
    };
    expect(run(OK, both)).toBe("");
    expect(run(REFUSED, both)).toContain("kept-out");
  });

  test("may be good or bad after a suspension that was broken off", () => {
    const broken = (scene: Scene) =>
      void scene.command("account suspend", { ACCOUNT: "alpha", reason: "x" }, null);
    expect(run(OK, broken)).toBe("");
    expect(run(REFUSED, broken)).toBe("");
  });

  test("that nobody made lets nobody in", () => {
    const scene = opening();
    scene.ask({ client: "nobody", path: "/account/balance" }, OK);
    expect(found(scene, keys)).toContain("barred");
  });
});
