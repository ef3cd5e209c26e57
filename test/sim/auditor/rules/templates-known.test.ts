import { describe, expect, test } from "vitest";
import { type AtRest, type CloudScene, cloudHistory } from "../cloud-scene.ts";
import { templatesKnown } from "./templates-known.ts";

const wordsOf = (during: (kit: CloudScene) => void, atRest: AtRest = {}) =>
  templatesKnown(cloudHistory(during, { messages: [[1, {}]], ...atRest })).map(({ what }) => what);
const has = (...words: string[]) => words.map((each) => expect.stringContaining(each));

const status = (event: string) =>
  ["message_template_status_update", { event, message_template_name: "offre" }] as const;
const category = (said: object) =>
  ["template_category_update", { ...said, message_template_name: "offre" }] as const;
/** Something is told of the template of marketing, and one that was accepted before leaves 15 seconds later. */
const waits = (tells: (kit: CloudScene) => void) => (kit: CloudScene) => {
  kit.submit(1);
  kit.scene.wait();
  tells(kit);
  kit.scene.wait(15_000);
  kit.post(1);
};

describe("templates-stopped", () => {
  test("sees a post by a template that was called paused, and lets be what nobody was told of", () => {
    const paused = (isTold: boolean) =>
      waits((kit) => {
        kit.template("MARKETING", { status: "PAUSED" });
        if (isTold) kit.call(...status("PAUSED"));
      });
    expect(wordsOf(paused(true))).toEqual(has("to be stopped"));
    expect(wordsOf(paused(false))).toEqual([]);
  });

  test("sees one that a list called paused", () => {
    const listed = waits((kit) => {
      kit.template("MARKETING", { status: "PAUSED" });
      kit.read();
    });
    expect(wordsOf(listed)).toEqual(has("to be stopped"));
  });

  test("lets go on what Meta has let go on, though nothing more was told", () => {
    const again = waits((kit) => {
      kit.template("MARKETING", { status: "PAUSED" });
      kit.call(...status("PAUSED"));
      kit.template("MARKETING", {});
    });
    expect(wordsOf(again)).toEqual([]);
  });

  test("sees a move that was ignored, and lets be one that was taken back", () => {
    const moved = waits((kit) => {
      kit.template("MARKETING", { category: "UTILITY" });
      kit.call(...category({ previous_category: "MARKETING", new_category: "UTILITY" }));
    });
    expect(wordsOf(moved)).toEqual(has("of another category than MARKETING"));
    const back = waits((kit) => {
      kit.template("MARKETING", { category: "UTILITY" });
      kit.call(...category({ previous_category: "MARKETING", new_category: "UTILITY" }));
      kit.call(...category({ previous_category: "UTILITY", new_category: "MARKETING" }));
    });
    expect(wordsOf(back)).toEqual([]);
    const announced = waits((kit) => {
      kit.call(...category({ correct_category: "UTILITY", new_category: "MARKETING" }));
    });
    expect(wordsOf(announced)).toEqual([]);
  });
});

describe("templates-listed", () => {
  const row = {
    name: "offre",
    status: "APPROVED",
    category: "MARKETING",
    quality: "GREEN",
    moves_to: null,
    moves_at: null,
  };
  const shown = (changes: object) => ({ templates: [{ ...row, ...changes }] });
  const red = ({ template, read, scene }: CloudScene) => {
    template("MARKETING", { quality: "RED" });
    scene.wait(15_000);
    read();
  };

  test("sees what is not as Meta has it, once that was read", () => {
    expect(wordsOf(red, shown({ quality: "RED" }))).toEqual([]);
    expect(wordsOf(red, shown({}))).toEqual(has("with quality GREEN, which is RED"));
    expect(wordsOf(({ template }) => template("MARKETING", { quality: "RED" }), shown({}))).toEqual([]);
  });

  const notice = ({ call }: CloudScene) =>
    call(
      ...category({
        correct_category: "UTILITY",
        new_category: "MARKETING",
        category_update_timestamp: 1_800_000_000,
      }),
    );
  const told = { moves_to: "UTILITY", moves_at: "2027-01-15T08:00:00.000Z" };

  test("sees an announced move that is not told, one for another time, and one that nobody announced", () => {
    expect(wordsOf(notice, shown(told))).toEqual([]);
    expect(wordsOf(notice, shown({}))).toEqual(has("with a move to null"));
    expect(wordsOf(notice, shown({ ...told, moves_at: "2027-01-15T09:00:00.000Z" }))).toEqual(
      has("with a move"),
    );
    expect(wordsOf(() => {}, shown(told))).toEqual(has("that nobody announced"));
  });
});

describe("templates-unavailable", () => {
  const failed = { status: "FAILED", error: { code: "TEMPLATE_UNAVAILABLE", operator_code: null } };
  const atRest: AtRest = { messages: [[1, failed]] };

  test("sees a failure for a template that could always be sent", () => {
    expect(wordsOf(({ submit }) => submit(1), atRest)).toEqual(has("offre could always be sent"));
    const disabled = ({ submit, template }: CloudScene) => {
      submit(1);
      template("MARKETING", { status: "DISABLED" });
    };
    expect(wordsOf(disabled, atRest)).toEqual([]);
  });
});
