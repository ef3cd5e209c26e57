import { ok, strictEqual } from "node:assert";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ADMIN_COMMANDS } from "../../../src/admin/commands.ts";
import { CommandServer } from "../../../src/admin/control-server.ts";
import { toCsv } from "../../../src/cli/admin-command.ts";
import { renderData } from "../../../src/cli/render.ts";
import { PLAIN } from "../../../src/cli/terminal.ts";
import { EXACT_ENGLISH, type Phrase } from "../../../src/i18n/phrase.ts";
import { hasText, renderIn, withTexts } from "../../../src/i18n/text.ts";
import { registration } from "../../../src/webhooks/registration.ts";
import { openSecretSeal } from "../../../src/webhooks/signing.ts";
import { type AdminFixture, adminFixture } from "../../admin/operations/fixture.ts";
import type { TestClock } from "../../kit/test-clock.ts";
import { testLog } from "../../kit/test-log.ts";
import type { Dice } from "../dice.ts";
import { changedJson } from "../json-tree.ts";
import { restorer } from "../restore.ts";
import { octetsOf, type Target, type Trial, textOf } from "../target.ts";

/** What asks servers elsewhere, works in a thread of its own, or writes the whole database anew. */
const LEFT_OUT = ["webhook test", "ledger check", "storage compact", "backup drill"];
const NAMES = ADMIN_COMMANDS.map(({ name }) => name);
/** The first account's short name and number on a list, and what commands take. */
const VALUES = [
  ...[
    "faso",
    "faso",
    "faso",
    "Faso Shop",
    "moov",
    "orange",
    "nobody",
    "70123456",
    "+22605123456",
    "FASO",
    "prepaid",
    "postpaid",
  ],
  ...[
    "5",
    "0",
    "-5",
    "1 000",
    "1e3",
    "999999999999999",
    "2026-03-02",
    "2026-03-01T09:00:00Z",
    "9999-12-31",
    "OTP",
    "all",
  ],
  ...[
    "MARKETING",
    "SEND,READ",
    "https://shop.example/hook",
    "08:00-20:00",
    "UTC",
    "Africa/Ouagadougou",
    "",
    " ",
    "x".repeat(201),
  ],
  ...[
    "\0",
    "\ud800",
    "é",
    "'; DROP TABLE accounts; --",
    "%",
    "_",
    "2",
    "0x45",
    "resend",
    "wait",
    "default",
    "none",
    "accepted",
  ],
];
const WORDS = [
  ...["command", "args", "actor", ...NAMES, ...VALUES],
  ...new Set(
    ADMIN_COMMANDS.flatMap(({ positionals, flags }) => [...positionals, ...flags].map(({ name }) => name)),
  ),
];

export const control: Target = {
  name: "control",
  promise:
    "a request at the control socket is done or refused in words, and what is refused has changed nothing",
  form: "text",
  words: WORDS.filter((word) => word.isWellFormed()),
  longest: 2048,
  isPumped: false,
  draw: (rolls) => octetsOf(JSON.stringify(drawn(rolls))),
  change: (input, other, rolls) => {
    const changed = changedJson(textOf(input), textOf(other), rolls, WORDS);
    return changed === null ? null : octetsOf(changed);
  },
  open,
};

async function open(): Promise<Trial> {
  const fixture = adminFixture();
  // Files that a command is told to write by a bare name lie where the process stands.
  const [before, scratch] = [process.cwd(), mkdtempSync(join(tmpdir(), "bendre-fuzz-"))];
  process.chdir(scratch);
  await furnish(fixture);
  const { context, clock } = fixture;
  const restore = restorer(context.store);
  const log = testLog();
  const turn = () => Promise.resolve();
  const desk = new CommandServer({ contextFor: (actor) => ({ ...context, actor }), clock, log, turn });
  return {
    // Some commands copy and prove a whole database, whatever was typed: a quarter of a second on an idle machine.
    maxMs: 1000,
    run: async (input) => {
      const asked = nameOf(textOf(input));
      if (LEFT_OUT.includes(asked)) return "left out";
      log.lines.length = 0;
      const audited = auditLength(fixture);
      const body = new Uint8Array(input);
      const response = await answered(
        clock,
        desk.serve(new Request("http://bendre/command", { method: "POST", body })),
      );
      const text = await response.text();
      const grown = auditLength(fixture) - audited;
      const hasChanged = await restore();
      for (const name of readdirSync(scratch)) rmSync(join(scratch, name), { recursive: true });
      strictEqual(response.status, 200);
      const outcome = judged(
        asked,
        JSON.parse(text),
        log.lines.map((line) => JSON.stringify(line)).join("\n"),
      );
      if (outcome !== "done") strictEqual(hasChanged, false, "what is refused has changed nothing");
      if (hasChanged) ok(grown > 0, "what changes something is on the audit list");
      return `${outcome === "done" ? asked : ""} ${outcome}`.trim();
    },
    close: () => {
      process.chdir(before);
      rmSync(scratch, { recursive: true });
      return fixture.close();
    },
  };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** What is answered, however long it rests meanwhile: time goes by as far as it must. */
async function answered(clock: TestClock, answering: Promise<Response>): Promise<Response> {
  let response: Response | null = null;
  const answer = answering.then((given) => {
    response = given;
  });
  await Promise.race([answer, turn()]);
  while (response === null) await clock.advance(20);
  return answering;
}

/** An account with a sender, a key, money, a number on its list and an endpoint. */
async function furnish({ context }: AdminFixture): Promise<void> {
  const desk = new CommandServer({
    contextFor: () => context,
    clock: context.clock,
    log: testLog(),
    turn: async () => {},
  });
  const give = async (command: string, args: Readonly<Record<string, string>>): Promise<unknown> => {
    const body = JSON.stringify({ command, args, actor: "awa" });
    const response = await desk.serve(new Request("http://bendre/command", { method: "POST", body }));
    const reply = (await response.json()) as { data?: unknown };
    ok(reply.data !== undefined, `${command}: ${JSON.stringify(reply)}`);
    return reply.data;
  };
  await give("account create", { name: "Faso Shop", billing: "prepaid", "short-name": "faso" });
  await give("wallet topup", { ACCOUNT: "faso", AMOUNT: "5000", reference: "first" });
  await give("suppression add", { ACCOUNT: "faso", MSISDN: "70123456", class: "all" });
  const account = context.store.read.get<{ id: number }>("SELECT id FROM accounts");
  const { store, clock, chance, newId } = context;
  const webhooks = registration({
    store,
    clock,
    chance,
    newId,
    seal: openSecretSeal(store.directory, chance),
    own: () => new Set(),
    resolve: () => Promise.reject(new Error("no such name")),
    allowPrivate: () => false,
  });
  const by = { accountId: account?.id ?? 0, actor: "awa" };
  const made = await webhooks.create(by, {
    url: "https://shop.example/",
    description: "",
    events: ["BATCH_SETTLED"],
  });
  ok(made.ok);
}

const auditLength = ({ context }: AdminFixture): number =>
  context.store.read.get<{ count: number }>("SELECT max(id) AS count FROM audit_entries")?.count ?? 0;

function nameOf(text: string): string {
  try {
    const { command } = JSON.parse(text) as { command?: unknown };
    return typeof command === "string" ? command : "";
  } catch {
    return "";
  }
}

type Reply = {
  readonly data?: unknown;
  readonly error?: { readonly code?: unknown; readonly detail?: unknown };
};

/** "done", or the code of the refusal. */
function judged(asked: string, reply: Reply, log: string): string {
  if (reply.error === undefined) {
    strictEqual(Object.keys(reply).join(), "data");
    const { table = [], csv = [] } = ADMIN_COMMANDS.find(({ name }) => name === asked) ?? {};
    const data = withTexts(reply.data, EXACT_ENGLISH);
    for (const width of [null, 40])
      ok(!/\p{Cc}/u.test(renderData(data, table, { ...PLAIN, width }).replaceAll("\n", "")));
    toCsv(data, csv);
    return "done";
  }
  const { code, detail } = reply.error;
  ok(typeof code === "string" && /^[A-Z_]+$/.test(code));
  for (const locale of ["en", "fr"] as const) {
    const told = renderIn(locale, detail as Phrase);
    ok(told !== "" && !hasText(told), `${code} is told as ${told}`);
  }
  ok(code !== "INTERNAL_ERROR", log);
  return code;
}

function drawn({ below, pick, ascii }: Dice): unknown {
  const { name, positionals, flags } = pick(ADMIN_COMMANDS);
  const value = (choices: readonly string[] = []): string =>
    pick([...choices, pick(VALUES), pick(VALUES), ascii(8)]);
  const args: [string, string][] = positionals.map((place) => [
    place.name,
    place.name === "ACCOUNT" && below(5) > 0 ? "faso" : value(),
  ]);
  for (const flag of flags) {
    if (flag.isRequired ? below(10) > 0 : below(3) === 0)
      args.push([flag.name, flag.value === null ? "" : value(flag.choices)]);
  }
  return {
    command: below(20) === 0 ? value() : name,
    args: Object.fromEntries(args),
    actor: pick(["awa", "", "\u001b[2J"]),
  };
}
