/**
 * What clients, administrators and programs rely on, played once and written down: answers of every command, of the public API and of the
 * doors, what receivers are told, what is listed. What differs from run to run is named instead.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { type IdNames, namesOfIds } from "../../scripts/questions/names.ts";
import { SCENES } from "../../scripts/questions/story.ts";
import { startWorld, type World } from "../../scripts/questions/world.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { type SmtpServer, startSmtpServer } from "../kit/smtp-server.ts";
import { type ApiRequest, REQUESTS } from "./requests.ts";
import { COMMANDS, FILES } from "./typed.ts";

export const SNAPSHOT_FILES = [
  "answers.txt",
  "commands.txt",
  "told.txt",
  "mails.txt",
  "metrics.txt",
  "health.txt",
  "openapi.json",
] as const;

/** What stands in each file. */
export type Snapshot = Readonly<Record<(typeof SNAPSHOT_FILES)[number], string>>;

/** What somebody outside was told. */
type Told = { readonly path: string; readonly method: string; readonly body: string };

const MINUTE_MS = 60_000;

/** Figures that the machine decides and not the product, in JSON. */
const OF_THE_MACHINE =
  /"(\w*(?:rows|bytes|_ms|_mb|pages|pid|version|commit|uptime\w*|reconnect_in_seconds|megabytes_free))":\s*-?[\d."]+(?:[\w. ()-]*")?/g;
/** The same in sentences. */
const SAID_OF_THE_MACHINE =
  /\b\d+(?= (?:s, since|files may be open|of \d+ MB are free|MB of memory are|MB are free))/g;
/** What a terminal is shown of a command that takes its time. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is sought
const PROGRESS = /\r|\u001b\[K(?:working, \d+ s)?/g;
const INSTANT = /\b20\d\d-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)?)?/g;
const SECRET = /\b(bdr|whsec)_[\w+/=-]{16,}|(?<="password": ")[^"]+|(?<=\/console\/link#)[\w-]+/g;
/** Ids of keys, wherever they are named. */
const KEY_ID = /(?<="key_id": "|"(?:actor|subject)": "(?:key )?)[0-9A-Z]{12}(?=")/g;
const PORT = /(127\.0\.0\.1|localhost):\d{4,5}/g;

/** Plays everything. @throws where the play itself cannot go on. */
export async function playSnapshot(): Promise<Snapshot> {
  const told: Told[] = [];
  const receiver = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      told.push({ path: pathname + search, method: request.method, body: await request.text() });
      return new Response("ACK/Jasmin");
    },
  });
  const mail = await startSmtpServer({ tls: "starttls" });
  const scratch = mkdtempSync(join(tmpdir(), "bdr-snapshot-"));
  const authority = join(scratch, "authority.pem");
  writeFileSync(authority, TEST_AUTHORITY);
  let world: World | null = null;
  try {
    const port = receiver.port ?? 0;
    world = await startWorld("en", settingsOf({ port, mailPort: mail.port, authority }));
    return await playIn(world, { told, mail, port });
  } finally {
    await world?.close();
    await mail.close();
    await receiver.stop(true);
    rmSync(scratch, { recursive: true });
  }
}

type Outside = { readonly told: readonly Told[]; readonly mail: SmtpServer; readonly port: number };

async function playIn(world: World, { told, mail, port }: Outside): Promise<Snapshot> {
  const names = namesOfIds();
  const shown = (text: string): string => namedBy(world, names, text);
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(world.directory, name), text);
  chmodSync(join(world.directory, "config.toml"), 0o640);
  await scene("morning", world);
  const places: Places = {
    key: String((await dataOf(world, "key create pharma --name played --scopes all")).api_key),
    password: String((await dataOf(world, "compat create pharma --user shop")).password),
    port,
    directory: world.directory,
  };
  const known = new Map<string, string>();

  const answers: string[] = [];
  for (const request of REQUESTS) answers.push(await answerTo(world, request, places, known));
  await world.pass(3 * MINUTE_MS);

  await within(world, MINUTE_MS, () => toldAll(world));
  const typed: string[] = [];
  for (const line of COMMANDS) {
    if (line === "webhook status") await within(world, MINUTE_MS, () => toldAll(world));
    const words = wordsOf(line).map((word) => withKnown(word, known, places));
    const { text, code } = await within(world, line.startsWith("batch send") ? MINUTE_MS : 10_000, () =>
      answered(world, world.type([...words, "--json"])),
    );
    remember(known, text);
    typed.push(`$ bendre ${line}\n${pretty(text.replaceAll(PROGRESS, "")).trimEnd()}\n= ${code}\n`);
  }
  await world.pass(3 * MINUTE_MS);

  return {
    "answers.txt": shown(answers.join("\n")),
    "commands.txt": shown(typed.join("\n")),
    "told.txt": kindsOf(told.map(({ path, method, body }) => shown(`${method} ${path}\n${body}\n`))),
    "mails.txt": kindsOf(
      mail.taken.map(({ to, headers, text }) => shown(`${to}\n${headers.subject}\n${text}\n`)),
    ),
    "metrics.txt": metricNames(await world.get(9464, "/metrics")),
    "health.txt": shown(pretty(await world.get(8080, "/health"))),
    "openapi.json": pretty(await world.get(8080, "/openapi.json")),
  };
}

function settingsOf(outside: {
  readonly port: number;
  readonly mailPort: number;
  readonly authority: string;
}) {
  const { port, mailPort, authority } = outside;
  return `
[webhooks]
allow_private_targets = true
ca_file = "${authority}"
[compat]
kannel = true
jasmin = true
[alerts]
webhook = "https://localhost:${port}/alerts"
secret = "a secret of alerts"
email = ["operations@example.bf"]
[alerts.smtp]
host = "localhost"
port = ${mailPort}
from = "bendre@example.bf"
ca_file = "${authority}"
`;
}

async function scene(name: string, world: World): Promise<void> {
  const play = SCENES[name];
  if (!play) throw new Error(`there is no scene ${name}`);
  await play(world);
}

async function dataOf(world: World, line: string): Promise<Record<string, unknown>> {
  const { text, code } = await world.type([...line.split(" "), "--json"]);
  if (code !== 0) throw new Error(`${line}: ${text}`);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

type Places = {
  readonly key: string;
  readonly password: string;
  readonly port: number;
  readonly directory: string;
};

/** One request and what came of it: the status, the fields of the head that are promised, and the body. */
async function answerTo(
  world: World,
  request: ApiRequest,
  places: Places,
  known: Map<string, string>,
): Promise<string> {
  const { path, method = "GET", headers = {}, body, text, isAnonymous } = request;
  const put = (from: string) => withKnown(from, known, places);
  const given = text ?? (body === undefined ? undefined : put(JSON.stringify(body)));
  const response = await fetch(`http://127.0.0.1:${world.portOf(8080)}${put(path)}`, {
    method,
    headers: {
      ...(isAnonymous ? {} : { "x-api-key": places.key }),
      ...(given === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    body: given,
  });
  const answer = await response.text();
  remember(known, answer);
  await world.pass(1000);
  const told = ["content-type", "retry-after", "www-authenticate", "allow", "location", "idempotent-replayed"]
    .filter((name) => response.headers.has(name))
    .map((name) => `${name}: ${response.headers.get(name)}`);
  return `> ${method} ${path}\n${given ?? ""}\n< ${response.status}\n${told.join("\n")}\n${pretty(answer)}\n`;
}

/** Something that takes so much time at most, and then always as much: what follows is at the same moment each time. */
async function within<Value>(world: World, ms: number, work: () => Promise<Value>): Promise<Value> {
  const endMs = world.nowMs() + ms;
  const value = await work();
  if (world.nowMs() > endMs) throw new Error(`it took ${world.nowMs() - endMs} ms too long`);
  await world.pass(endMs - world.nowMs());
  return value;
}

/** What is answered, however long it rests or waits meanwhile: time goes by as far as it must. */
async function answered<Answer>(world: World, answering: Promise<Answer>): Promise<Answer> {
  let isOver = false;
  const over = answering.finally(() => {
    isOver = true;
  });
  while (!isOver) {
    await Promise.race([over, Bun.sleep(50)]);
    if (!isOver) await world.pass(250);
  }
  return answering;
}

/** Lets time pass until receivers were told of everything. */
async function toldAll(world: World): Promise<void> {
  let before: unknown = null;
  for (let same = 0; same < 3; ) {
    await world.pass(1000);
    await Bun.sleep(10);
    const { in_flight, delivered } = await dataOf(world, "webhook status");
    same = in_flight === 0 && delivered === before ? same + 1 : 0;
    before = delivered;
  }
}

/** Ids that an answer holds, for what is asked later. */
function remember(known: Map<string, string>, text: string): void {
  for (const [, field = "", value = ""] of text.matchAll(/"(\w+_id)":\s*"([^"]+)"/g)) {
    const isOurs = field === "key_id" || /^0[0-9A-HJKMNP-TV-Z]{25}$/.test(value);
    if (isOurs) known.set(`$${field.toUpperCase()}`, value);
  }
}

function withKnown(text: string, known: ReadonlyMap<string, string>, places: Places): string {
  return text.replaceAll(/\$[A-Z_]+/g, (name) => {
    switch (name) {
      case "$PORT":
        return String(places.port);
      case "$PASSWORD":
        return places.password;
      case "$DIRECTORY":
        return places.directory;
      default:
        return known.get(name) ?? name;
    }
  });
}

/** The words of a line as a shell would give them. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
}

/** Each once, whatever its ids, in an order of its own: receivers are told in any order, and again. */
function kindsOf(told: readonly string[]): string {
  return [...new Set(told.map((text) => text.replaceAll(/\b01KJPWD6M0\d{16}\b/g, "ID")))].sort().join("\n");
}

function metricNames(text: string): string {
  return text
    .split("\n")
    .filter((line) => line.startsWith("# "))
    .sort()
    .join("\n");
}

function namedBy(world: World, names: IdNames, text: string): string {
  return names
    .shown(world.named(text))
    .replaceAll(OF_THE_MACHINE, '"$1": "…"')
    .replaceAll(INSTANT, "TIME")
    .replaceAll(SAID_OF_THE_MACHINE, "…")
    .replaceAll(/of \d+ MB are free/g, "of … MB are free")
    .replaceAll(/\/\S*authority\.pem/g, "/etc/bendre/authority.pem")
    .replaceAll(/"value": [1-6]\d{4},/g, '"value": "a port",')
    .replaceAll(/("name": "service",)[^}]*/g, '$1 "…": "…"')
    .replaceAll(
      new RegExp(`(?<=\\[bendre |Machine: |"host":")${RegExp.escape(hostname())}\\b`, "g"),
      "MACHINE",
    )
    .replaceAll(SECRET, "SECRET")
    .replaceAll(KEY_ID, "KEY")
    .replaceAll(PORT, "$1:PORT");
}
