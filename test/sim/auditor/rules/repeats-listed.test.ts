import { expect, test } from "vitest";
import { audit } from "../audit.ts";
import { delivered, idOf, page } from "../scene.ts";
import { linkTo, oneText } from "../wire-scene.ts";
import { repeatsListed } from "./repeats-listed.ts";

/** A text that left twice, and what its trace says at rest. */
function leftTwice(events: readonly unknown[], firstAnswer: number | null = null) {
  const run = oneText();
  const link = linkTo(run, "one", 1);
  link.bind();
  const first = link.submit();
  if (firstAnswer !== null) link.answer(first, firstAnswer, "");
  run.wait(20_000);
  if (firstAnswer !== null) link.answer(first, 0, "A1");
  link.answer(link.submit(), 0, "A2");
  run.wait(60_000);
  run.see({ kind: "rest" });
  run.ask({ client: "alpha", path: "/messages" }, page([delivered(idOf(1), 0)]));
  run.command("message trace", { MESSAGE: idOf(500) }, { data: { message_id: idOf(500), events } });
  return audit(run.observations, [repeatsListed]);
}

const UNANSWERED = { event: { code: "message.event.no_answer" }, part: "1", detail: "settled since" };

test("a text that may have come twice is listed where its trace has the first submit without an answer", () => {
  const { findings, figures } = leftTwice([UNANSWERED]);
  expect(findings).toEqual([]);
  expect(figures).toMatchObject({ repeats: 1, repeatsListed: 1, repeatsUnlisted: 0, repeatsRefused: 0 });
});

test("a text that may have come twice is a finding where its trace knows of one submit only", () => {
  const { findings, figures } = leftTwice([{ ...UNANSWERED, part: "2-3" }]);
  expect(findings.map(({ what }) => what).join()).toContain("may have arrived 2 times");
  expect(figures).toMatchObject({ repeats: 1, repeatsListed: 0, repeatsUnlisted: 1 });
});

test("a text that its operator refused and took all the same is no doubt of the appliance's", () => {
  const { findings, figures } = leftTwice([], 0x58);
  expect(findings).toEqual([]);
  expect(figures).toMatchObject({ repeats: 1, repeatsUnlisted: 0, repeatsRefused: 1 });
});

test("a text that two routes accepted is listed where its trace has both acceptances", () => {
  const accepted = (route: string) => ({
    event: { code: "message.event.submit_sm_resp" },
    part: "1",
    route,
    detail: { code: "message.detail.taken" },
  });
  expect(leftTwice([accepted("direct"), accepted("agg")]).findings).toEqual([]);
  expect(leftTwice([accepted("agg")]).findings).toHaveLength(1);
  expect(leftTwice([accepted("agg"), accepted("agg")]).findings).toHaveLength(1);
});
