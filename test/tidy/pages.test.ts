/** Pages explain the code, and the code points at them: what is pointed at must be there. */
import { existsSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { COMMANDS } from "../../src/cli/commands.ts";
import { SETTINGS } from "../../src/config/settings.ts";
import { EVENT_TYPES } from "../../src/domain/events/outbox.ts";
import { MESSAGE_ERRORS } from "../../src/domain/messages/message-status.ts";
import { REJECTION_REASONS } from "../../src/domain/submission/rejections.ts";
import { FAILURES } from "../../src/ingress/http/error-codes.ts";
import { DOCUMENTS } from "../scenarios/documents.ts";
import { LIST, pageOf } from "../scenarios/promises.ts";
import { filesBelow, ROOT, TABLE_OF_IMPORTS, textOf } from "./source.ts";

const TOP = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md"].filter((page) =>
  existsSync(join(ROOT, page)),
);
const BELOW = ["src", "test", "scripts"].flatMap(filesBelow);
const PAGES = [...TOP, ...BELOW.filter((file) => file.endsWith(".md"))];
const READ = [...TOP, ...BELOW, "build.ts", "config.example.toml"].filter((file) =>
  /\.(md|ts|sql|toml)$/.test(file),
);

type Headings = { readonly anchors: ReadonlySet<string>; readonly numbers: ReadonlySet<string> };

/** Lines of a page that are not code. */
function proseOf(page: string): string {
  return textOf(page).replace(/^```[\s\S]*?^```/gm, "");
}

/** The anchors of a page as its readers' programs make them, and the numbers of its sections. */
function headingsOf(page: string): Headings {
  const titles = [...proseOf(page).matchAll(/^#{1,6} (.+)$/gm)].map(([, title = ""]) => title);
  const anchors = titles.map((title) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
  expect([page, anchors.filter((anchor, place) => anchors.indexOf(anchor) !== place)]).toEqual([page, []]);
  const numbers = titles.flatMap((title) => /^(\d+(?:\.\d+)?)\.? /.exec(title)?.[1] ?? []);
  return { anchors: new Set(anchors), numbers: new Set(numbers) };
}

const known = new Map<string, Headings | null>();
function headings(page: string): Headings | null {
  const found = known.get(page) ?? (existsSync(join(ROOT, page)) ? headingsOf(page) : null);
  known.set(page, found);
  return found;
}

/** A page, a page with one or more of its headings (`#tags`, or `#tags, #caps`), or one with sections (`section 4.1`, `sections 5 to 7`). */
const REFERENCE =
  /(?<![\w/.-])docs\/([\w-]+\.md)((?:(?:,\s)?\s?#[\w-]+)*)(?:\ssections?\s(\d+(?:\.\d+)?)(?:\s(?:to|and)\s(\d+(?:\.\d+)?))?)?/g;

/** References of a file to pages of src/docs that lead nowhere. */
function brokenReferences(file: string): string[] {
  const text = textOf(file).replaceAll(/\n\s*(?:\*|\/\/|--|#)\s/g, "\n");
  return [...text.matchAll(REFERENCE)].flatMap(([written, name = "", anchors = "", from, to]) => {
    const found = headings(`src/docs/${name}`);
    const isThere =
      found !== null &&
      [...anchors.matchAll(/#([\w-]+)/g)].every(([, anchor = ""]) => found.anchors.has(anchor)) &&
      [from, to].every((number) => number === undefined || found.numbers.has(number));
    return isThere ? [] : [`${file}: ${written}`];
  });
}

/** Links of a page that lead nowhere: to a file that is not there, or a heading that the page has not. */
function brokenLinks(page: string): string[] {
  return [...proseOf(page).matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = ""]) => {
    if (/^[a-z]+:/.test(target)) return [];
    const [path = "", anchor] = target.split("#");
    const file = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
    const isThere =
      existsSync(join(ROOT, file)) && (anchor === undefined || headings(file)?.anchors.has(anchor));
    return isThere ? [] : [`${page}: ${target}`];
  });
}

/** Paths of the project that a page names in code, seen from the root, from src or from the page, and that are not there. */
function brokenPaths(page: string): string[] {
  const spans = [...proseOf(page).matchAll(/`([^`\n]+)`/g)].map(([, span = ""]) => span);
  const paths = spans.filter((span) =>
    /^(?:[\w-]+\/)+[\w-]+\.(?:ts|sql|md|toml)$|^(?:src|test|scripts)\/[\w./-]+$/.test(span),
  );
  const places = [ROOT, join(ROOT, "src"), join(ROOT, dirname(page))];
  return paths
    .filter((path) => !places.some((place) => existsSync(join(place, path))))
    .map((path) => `${page}: ${path}`);
}

describe("the pages", () => {
  test("have every page, heading and section that code, tests and other pages point at", () => {
    expect(READ.flatMap(brokenReferences)).toEqual([]);
    const pointed = READ.filter((file) => file.endsWith(".ts") && /\bdocs\/[\w-]+\.md/.test(textOf(file)));
    expect(pointed.length).toBeGreaterThan(80);
  });

  test("link to files and headings that exist", () => {
    expect(PAGES.flatMap(brokenLinks)).toEqual([]);
  });

  test("name files and folders that exist, but for the changelog, which tells of the past", () => {
    const present = PAGES.filter((page) => page !== "CHANGELOG.md" && page !== LIST);
    expect(present.flatMap(brokenPaths)).toEqual([]);
  });

  test("are cited by their path, and no page outside of the project is", () => {
    const cited = /(?<![\w/.-])(?!docs\/)(?:\.\.\/)*([\w-]+\/)*[\w-]+\.md\b/g;
    const ownPages = "test/docs/markdown.test.ts";
    const stray = READ.filter((file) => !file.endsWith(".md") && file !== ownPages).flatMap((file) =>
      [...textOf(file).matchAll(cited)]
        .filter(
          ([written]) => !existsSync(join(ROOT, written)) && !existsSync(join(ROOT, dirname(file), written)),
        )
        .map(([written]) => `${file}: ${written}`),
    );
    expect(stray).toEqual([]);
  });

  test("have a section for every promise that the tests keep", () => {
    for (const document of DOCUMENTS) {
      const { numbers } = headings(pageOf(document)) ?? { numbers: new Set<string>() };
      const sections = new Set(document.sentences.map(({ id }) => id.slice(0, id.lastIndexOf("."))));
      expect([
        document.name,
        [...sections].filter((section) => section !== "0" && !numbers.has(section)),
      ]).toEqual([document.name, []]);
    }
  });

  test("name every rejection reason in the order of the checks, and every code and event", () => {
    const behaviour = textOf("src/docs/behaviour.md").replaceAll(/\s+/g, " ");
    const reasons = /`INVALID_MSISDN`(?: → `\w+`)*/.exec(behaviour)?.[0].replaceAll("`", "").split(" → ");
    expect(reasons).toEqual([...REJECTION_REASONS]);
    const errors = /NO_ROUTE(?:, \w+)*(?=\. More may be added)/.exec(behaviour)?.[0].split(", ");
    expect(errors).toEqual(Object.keys(MESSAGE_ERRORS));
    expect(EVENT_TYPES.filter((type) => !behaviour.includes(type))).toEqual([]);
    const api = textOf("src/docs/public-api.md");
    expect(Object.keys(FAILURES).filter((code) => !api.includes(`| ${code} |`))).toEqual([]);
  });

  test("name every setting, command and flag", () => {
    const page = textOf("src/docs/administration.md");
    const keys = SETTINGS.map(({ key }) => key).filter((key) => !page.includes(`\`${key}\``));
    expect(keys).toEqual([]);
    for (const { name, ...command } of COMMANDS) {
      if ("kind" in command && !name.includes(" ")) continue;
      expect([name, new RegExp(`\`${name}\\b`).test(page)]).toEqual([name, true]);
      const flags = command.flags.map((flag) => `--${flag.name}`);
      expect([name, flags.filter((flag) => !page.includes(flag))]).toEqual([name, []]);
    }
  });
});

test("comments name programs that exist", () => {
  const programs = [...BELOW, "build.ts"].filter((file) => /\.(ts|sql)$/.test(file));
  const stray = programs.flatMap((file) => {
    const comments = [...textOf(file).matchAll(/\/\*[\s\S]*?\*\/|\/\/.*/g)].map(([comment]) => comment);
    const named = comments.flatMap(
      (comment) => comment.match(/(?<![\w./-])(?:[\w-]+\/)*[\w-]+\.(?:ts|sql)\b/g) ?? [],
    );
    return named
      .filter((name) => !programs.some((program) => program === name || program.endsWith(`/${name}`)))
      .map((name) => `${file}: ${name}`);
  });
  expect(stray).toEqual([]);
});

test("src/README.md names files that exist, also where it leaves their ending out", () => {
  const named = [
    ...textOf("src/README.md").matchAll(/(?<![\w./`-])([a-z]+(?:\/[a-z-]+)+)(?:\.ts)?(?![\w/-])/g),
  ];
  const paths = named
    .map(([, path = ""]) => path)
    .filter((path) => existsSync(join(ROOT, "src", dirname(path))) && !TABLE_OF_IMPORTS.has(path));
  expect(paths.length).toBeGreaterThan(30);
  expect(
    paths.filter(
      (path) =>
        ![".ts", ".tsx", ".sql", ".md"].some((ending) => existsSync(join(ROOT, `src/${path}${ending}`))),
    ),
  ).toEqual([]);
});

/** What composes, and what is told in src/console/ui/README.md. */
const WITHOUT_A_BEGINNING = ["main", "app", "console/ui", "console/ui/pages", "console/ui/pages/send"];

describe("every room", () => {
  const table =
    /\| room \| begin with \|.*\n\|[-|]+\n((?:\|.*\|\n)+)/.exec(textOf("src/README.md"))?.[1] ?? "";
  const rows = [...table.matchAll(/^\| ([\w/-]+) \| ([\w./-]+) \|/gm)];
  const begun = new Map(rows.map(([, room = "", file = ""]) => [room, `src/${file}`]));
  const rooms = [...TABLE_OF_IMPORTS.keys()].filter((room) => !WITHOUT_A_BEGINNING.includes(room));

  test("has a file to begin with in src/README.md", () => {
    expect([...begun.keys()].sort()).toEqual([...rooms].sort());
    expect([...begun].filter(([room, file]) => !file.startsWith(`src/${room}/`))).toEqual([]);
  });

  test("says at the head of that file, in fifteen lines at most, what it is for", () => {
    for (const [room, file] of begun) {
      const head = /^\/\*\*\n((?: \*.*\n)+?) \*\/\n/.exec(textOf(file))?.[1] ?? "";
      const lines = head.split("\n").length - 1;
      expect([room, lines >= 3 && lines <= 15]).toEqual([room, true]);
    }
  });
});
