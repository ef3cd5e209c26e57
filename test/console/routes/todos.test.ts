/** What is left to be set up can be dismissed, by each person for themselves; what becomes true anew is shown again. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type SendFixture, sendFixture } from "./send-fixture.ts";

let sending: SendFixture;
let owner: string;
let other: string;
beforeEach(async () => {
  sending = await sendFixture();
  owner = await sending.entered("owner@example.bf", "OWNER", null);
  other = await sending.entered("other@example.bf", "OWNER", null);
});
afterEach(() => sending.place.close());

const dismiss = (todo: string, cookie: string) => sending.ask("POST", "/me/todos/dismiss", { todo }, cookie);
const dismissed = async (left: string, cookie: string) =>
  (await sending.ask("POST", "/me/todos", { left }, cookie)).json.dismissed;

test("is dismissed for whoever dismisses it, and nobody else", async () => {
  expect((await dismiss("BACKUP", owner)).status).toBe(200);
  expect((await dismiss("BACKUP", owner)).status).toBe(200);
  expect(await dismissed("BACKUP,ALARMS", owner)).toEqual(["BACKUP"]);
  expect(await dismissed("BACKUP,ALARMS", other)).toEqual([]);
});

test("is shown again once it was done and is left anew", async () => {
  await dismiss("BACKUP", owner);
  await dismiss("ALARMS", owner);
  expect(await dismissed("ALARMS", owner)).toEqual(["ALARMS"]);
  expect(await dismissed("BACKUP,ALARMS", owner)).toEqual(["ALARMS"]);
});

test("is one that the console knows, of somebody who is signed in", async () => {
  expect([(await dismiss("TAXES", owner)).status, (await dismiss("BACKUP", "")).status]).toEqual([422, 401]);
});
