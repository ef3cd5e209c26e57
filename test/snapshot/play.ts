/**
 * What clients, administrators and programs rely on, played once and written down: answers of every command, of the public API and of the
 * doors, what receivers are told, what is listed. What differs from run to run is named instead.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { namesOfIds } from "../../scripts/questions/names.ts";
import { SCENES } from "../../scripts/questions/story.ts";
import { startWorld, type World } from "../../scripts/questions/world.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { type SmtpServer, startSmtpServer } from "../kit/smtp-server.ts";
import { type Asker, answerTo, dataOf, toldAll, typedLine, validated, within } from "./asking.ts";
import { playFiles } from "./files.ts";
import { namesOf } from "./names.ts";
import { playRefusals } from "./refused.ts";
import { REQUESTS } from "./requests.ts";
import { playRestored } from "./restored.ts";
import { kindsOf, metricNames, namedBy, pretty } from "./shown.ts";
import { COMMANDS, FILES } from "./typed.ts";
import { playWhatsapp } from "./whatsapp.ts";

export const SNAPSHOT_FILES = [
  "answers.txt",
  "commands.txt",
  "told.txt",
  "mails.txt",
  "metrics.txt",
  "health.txt",
  "openapi.json",
  "files.txt",
  "names.txt",
  "errors.txt",
  "restored.txt",
] as const;

/** What stands in each file. */
export type Snapshot = Readonly<Record<(typeof SNAPSHOT_FILES)[number], string>>;

/** What somebody outside was told. */
type Told = { readonly path: string; readonly method: string; readonly body: string };

const MINUTE_MS = 60_000;
/** What the wallet goes below once endpoints are there to be told. */
const LOW_BALANCE = 49_640;

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

async function playIn(world: World, outside: Outside): Promise<Snapshot> {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(world.directory, name), text);
  chmodSync(join(world.directory, "config.toml"), 0o640);
  await scene("morning", world);
  const key = String((await dataOf(world, "key create pharma --name played --scopes all")).api_key);
  const { password } = await dataOf(world, "compat create pharma --user shop");
  const places = { key, password: String(password), port: outside.port, directory: world.directory };
  const asker: Asker = { world, places, known: new Map() };
  const answers = await playRequests(asker);
  const whatsapp = await playWhatsapp(asker);
  try {
    return await playOn(asker, outside, [...answers, ...whatsapp.told]);
  } finally {
    await whatsapp.stop();
  }
}

async function playRequests(asker: Asker): Promise<string[]> {
  const { world } = asker;
  const answers: string[] = [];
  await dataOf(world, `account set pharma --low-balance ${LOW_BALANCE}`);
  for (const request of REQUESTS) {
    answers.push(await answerTo(asker, request));
    if (request.told !== undefined) await within(world, MINUTE_MS, () => validated(asker));
  }
  return answers;
}

/** What follows once clients have asked. */
async function playOn(asker: Asker, { told, mail }: Outside, answers: readonly string[]): Promise<Snapshot> {
  const { world } = asker;
  const names = namesOfIds();
  const shown = (text: string): string => namedBy(world, names, text);
  await world.pass(3 * MINUTE_MS);
  await within(world, MINUTE_MS, () => toldAll(world));
  const typed: string[] = [];
  for (const line of COMMANDS) {
    if (line === "webhook status") await within(world, MINUTE_MS, () => toldAll(world));
    const answer = () => typedLine(asker, line);
    typed.push(await (line.startsWith("user link") ? withPublicUrl(world, answer) : answer()));
  }
  await world.pass(3 * MINUTE_MS);

  const health = pretty(await world.get(8080, "/health"));
  const played = {
    "answers.txt": shown(answers.join("\n")),
    "commands.txt": shown(typed.join("\n")),
    "told.txt": kindsOf(told.map(({ path, method, body }) => shown(`${method} ${path}\n${body}\n`))),
    "mails.txt": kindsOf(
      mail.taken.map(({ to, headers, text }) => shown(`${to}\n${headers.subject}\n${text}\n`)),
    ),
    "metrics.txt": metricNames(await world.get(9464, "/metrics")),
    "health.txt": shown(health),
    "openapi.json": pretty(await world.get(8080, "/openapi.json")),
  };
  const files = shown((await playFiles(asker)).join("\n"));
  const refused = await playRefusals(asker);
  const restored = await playRestored(asker);
  return {
    ...played,
    "files.txt": files,
    "names.txt": namesOf({ health, typed: [...typed, ...refused, ...restored] }),
    "errors.txt": shown(refused.join("\n")),
    "restored.txt": shown(restored.join("\n")),
  };
}

/** While the appliance has an address that others reach: invitations are mailed. */
async function withPublicUrl<Value>(world: World, work: () => Promise<Value>): Promise<Value> {
  const [without, named] = ["[server]\n", '[server]\npublic_url = "https://sms.example.bf"\n'];
  world.edit(without, named);
  await dataOf(world, "config reload");
  const value = await work();
  world.edit(named, without);
  await dataOf(world, "config reload");
  return value;
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
