/** The page lists every job and every way by which something may leave, with what it does while a restore is undecided. */
import { describe, expect, test } from "vitest";
import { filesBelow, isProgram, textOf } from "../../tidy/source.ts";

/** Programs of their own beside the appliance, and who only hands a way down. */
const NOT_ITS_OWN = /^src\/(demo|simulator|https|ops\/mail|smpp|cli)\/|^src\/app\/platform\.ts$/;
const PROGRAMS = filesBelow("src").filter((file) => isProgram(file) && !NOT_ITS_OWN.test(file));

const PAGE = textOf("src/docs/administration.md");
const [, SECTION = ""] = PAGE.split("### While nothing is decided\n");
const ROWS = (SECTION.split("\n### ")[0] ?? "")
  .split("\n")
  .filter((line) => line.startsWith("| "))
  .map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
const JOBS = ROWS.filter((cells) => cells.length === 2 && cells[0] !== "job");
const WAYS = ROWS.filter((cells) => cells.length === 3 && cells[0] !== "way");

/** The names of loops that a file starts; null in place of one that cannot be read. */
function loopsIn(file: string): (string | null)[] {
  const text = textOf(file);
  if (file === "src/core/loop.ts") return [];
  if (file === "src/app/schedule.ts") {
    // Its jobs are started by how they begin; the name is their first argument, or the constant `name`.
    const [, rest = ""] = text.split("function scheduledBatches");
    const starts = [...text.matchAll(/\b(?:always|timed|decided)\(\s*(?:"([^"]+)"|(name)\b)/g)];
    const named = [...text.matchAll(/const name = "([^"]+)"/g)].map(([, name]) => name ?? null);
    expect(rest).not.toBe("");
    return [...starts.flatMap(([, literal]) => literal ?? []), ...named];
  }
  const starts = text.split("startLoop({").slice(1);
  return starts.map((start) => /^[^;]*?\bname: "([^"]+)"/.exec(start)?.[1] ?? null);
}

/** What a file may have leave by: a submit to an operator, a request to a server of others, a mail, or a claim before one of them. */
const LEAVES = [
  /\bconnection\.submit\(/,
  /import \{[^}]*\b(?:asker|createPost)\b[^}]*\} from/,
  /\bsendMail\(/,
  /\bclaimer\(/,
  /\btakeFastPathSlot\(tx/,
];

describe("while a restore is undecided", () => {
  test("what every job does stands on the page, and no other job does", () => {
    const loops = PROGRAMS.flatMap(loopsIn);
    expect(loops.length).toBeGreaterThan(25);
    expect(JOBS.map(([name]) => name).sort()).toEqual(loops.sort());
    expect(JOBS.filter(([, what = ""]) => what === "")).toEqual([]);
  });

  test("the jobs that the page says wait are those that are started so", () => {
    const waiting = [...textOf("src/app/schedule.ts").matchAll(/\bdecided\(\s*"([^"]+)"/g)].map(
      ([, name]) => name,
    );
    const said = JOBS.filter(([, what = ""]) => what.startsWith("waits")).map(([name]) => name);
    expect(said.sort()).toEqual(waiting.sort());
    expect(waiting).toContain("close what WhatsApp is silent about");
  });

  test("what every way does stands on the page", () => {
    const leaving = PROGRAMS.filter((file) => LEAVES.some((one) => one.test(textOf(file)))).filter(
      (file) => file !== "src/dispatch/claim.ts",
    );
    const named = WAYS.flatMap(([, where = ""]) =>
      [...where.matchAll(/`([^`]+)`/g)].map(([, file]) => `src/${file}`),
    );
    expect(leaving.length).toBeGreaterThan(7);
    expect(leaving.sort()).toEqual([...new Set(named)].sort());
  });

  test("how a claimed message of a channel goes on is asked of its own room where the channels are opened, and nowhere else", () => {
    const own =
      /^import [^;]*\b(?:recoverClaim|recoverPosts)\b[^;]*from "[^"]*(?:sms\/submit-results|whatsapp\/post-messages)\.ts";/m;
    expect(PROGRAMS.filter((file) => own.test(textOf(file)))).toEqual(["src/app/channels.ts"]);
  });
});
