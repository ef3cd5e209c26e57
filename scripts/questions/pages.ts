/**
 * A page of questions, played: its story is told scene by scene, each command in it is typed, and what is printed takes the place of what
 * stood there.
 *
 * `<!-- scene: NAME -->` lets a scene of `story.ts` happen. A block of `console` begins with `$ ` and a command. Behind `<!-- figures
 * vary -->` a block stays as it is where nothing but figures differs.
 */
import type { Language } from "../../src/cli/language-flag.ts";
import { namesOfIds } from "./names.ts";
import { SCENES } from "./story.ts";
import { startWorld, type World } from "./world.ts";

/** What a page is made of, in its order. */
export type PagePiece =
  | { readonly kind: "prose"; readonly text: string }
  | { readonly kind: "scene"; readonly text: string; readonly name: string }
  | {
      readonly kind: "block";
      readonly command: string;
      readonly output: string;
      readonly doesVary: boolean;
    };

const PIECE =
  /<!-- scene: (?<scene>\w+) -->\n|(?<vary><!-- figures vary -->\n)?```console\n\$ (?<command>.+)\n(?<output>[\s\S]*?)```\n/g;

export function piecesOf(page: string): PagePiece[] {
  const pieces: PagePiece[] = [];
  let at = 0;
  for (const match of page.matchAll(PIECE)) {
    pieces.push({ kind: "prose", text: page.slice(at, match.index) });
    at = match.index + match[0].length;
    const { scene, command = "", output = "", vary } = match.groups ?? {};
    pieces.push(
      scene === undefined
        ? {
            kind: "block",
            command,
            output,
            doesVary: vary !== undefined,
          }
        : { kind: "scene", text: match[0], name: scene },
    );
  }
  return [...pieces, { kind: "prose", text: page.slice(at) }];
}

/** The page with what its commands print today. */
export async function playedPage(page: string, language: Language): Promise<string> {
  const world = await startWorld(language);
  const names = namesOfIds();
  try {
    const played: string[] = [];
    for (const piece of piecesOf(page)) {
      switch (piece.kind) {
        case "prose":
          played.push(piece.text);
          break;
        case "scene":
          await sceneOf(piece.name)(world);
          played.push(piece.text);
          break;
        case "block": {
          const printed = names.shown(world.named(await printedBy(world, names.meant(piece.command))));
          played.push(blockOf(piece, `${printed.trimEnd()}\n`));
          break;
        }
      }
    }
    return played.join("");
  } finally {
    await world.close();
  }
}

function sceneOf(name: string): (world: World) => Promise<void> {
  const scene = SCENES[name];
  if (!scene) throw new Error(`there is no scene ${name}`);
  return scene;
}

type Block = Extract<PagePiece, { kind: "block" }>;

function blockOf({ command, output, doesVary }: Block, printed: string): string {
  const text = doesVary && withoutFigures(output) === withoutFigures(printed) ? output : printed;
  const mark = doesVary ? "<!-- figures vary -->\n" : "";
  return `${mark}\`\`\`console\n$ ${command}\n${text}\`\`\`\n`;
}

/** A text in which every number is the same, and as wide. */
function withoutFigures(text: string): string {
  return text.replaceAll(/\d[\d ,.]*/g, "0").replaceAll(/ +/g, " ");
}

/** What a line typed at the terminal prints. */
async function printedBy(world: World, line: string): Promise<string> {
  const [typed = "", ...filters] = line.split(" | ");
  const [, port, path = ""] = /^curl -s http:\/\/127\.0\.0\.1:(\d+)(\S+)$/.exec(typed) ?? [];
  if (port !== undefined) return filters.reduce(filtered, await world.get(Number(port), path));
  if (typed === "journalctl -u bendre -o cat") return filters.reduce(filtered, world.log().join("\n"));
  const [, words, code] = /^bendre (.+?)(; echo \$\?)?$/.exec(typed) ?? [];
  if (words === undefined) throw new Error(`nobody knows what ${line} does`);
  const type = words.startsWith("operator test ") ? world.typeTest : world.type;
  const answer = await type(wordsOf(words), filters.length > 0 ? "pipe" : "terminal");
  return code === undefined ? filters.reduce(filtered, answer.text) : `${answer.text}${answer.code}`;
}

/** What `grep` and `head` leave of a text, and `jq` of a document. */
function filtered(text: string, filter: string): string {
  const lines = text.split("\n");
  const [program = "", ...words] = wordsOf(filter);
  const last = words.at(-1) ?? "";
  switch (program) {
    case "grep": {
      const below = words[0] === "-A1" ? 1 : 0;
      const isFound = (line: string | undefined) => line?.includes(last) === true && !line.startsWith("#");
      return lines.filter((line, at) => isFound(line) || (below > 0 && isFound(lines[at - 1]))).join("\n");
    }
    case "head":
      return lines.slice(0, Number(last.slice(1))).join("\n");
    case "jq": {
      const steps = last.split(".").slice(1);
      return String(steps.reduce<unknown>(memberOf, JSON.parse(text)));
    }
    default:
      throw new Error(`nobody knows what ${filter} does`);
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)).get(name) : undefined;
}

function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}
