/** Asking the played appliance: requests, commands, and the time that they take. */
import type { World } from "../../scripts/questions/world.ts";
import { API, type ApiRequest } from "./requests.ts";
import { pretty, withoutProgress } from "./shown.ts";

/** What the words of requests and commands stand for. */
export type Places = {
  readonly key: string;
  readonly password: string;
  readonly port: number;
  readonly directory: string;
};

/** Whoever asks: what was answered before is remembered by the names of its fields. */
export type Asker = {
  readonly world: World;
  readonly places: Places;
  readonly known: Map<string, string>;
};

const TOLD_HEADERS = [
  "content-type",
  "retry-after",
  "www-authenticate",
  "allow",
  "location",
  "idempotent-replayed",
];

/** Told with every answer that a key is known by; written down where it was asked too often. */
const OF_LIMITS = ["x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"];

/** One request and what came of it: the status, the fields of the head that are promised, and the body. */
export async function answerTo(asker: Asker, request: ApiRequest): Promise<string> {
  const { world, known } = asker;
  const response = await sent(asker, request);
  const answer = await response.clone().text();
  remember(known, answer);
  const [, id] = /"(?:batch|webhook)_id":\s*"([^"]+)"/.exec(answer) ?? [];
  if (request.as !== undefined && id !== undefined) known.set(`$${request.as}`, id);
  await world.pass(1000);
  return shownAnswer(asker, request, response);
}

/** A request and its answer as they are written down. */
export async function shownAnswer(asker: Asker, request: ApiRequest, response: Response): Promise<string> {
  const { path, method = "GET", told = bodyOf(asker, request) ?? "" } = request;
  const { status, headers } = response;
  const heads = status === 429 ? [...TOLD_HEADERS, ...OF_LIMITS] : TOLD_HEADERS;
  const lines = heads.filter((name) => headers.has(name)).map((name) => `${name}: ${headers.get(name)}`);
  const answer = pretty(await response.text());
  return `> ${method} ${path}\n${told}\n< ${status}\n${lines.join("\n")}\n${answer}\n`;
}

/** Sends a request; time stands still meanwhile. */
export function sent(asker: Asker, request: ApiRequest): Promise<Response> {
  const { world, places } = asker;
  const { path, method = "GET", headers = {}, isAnonymous } = request;
  const body = bodyOf(asker, request);
  const written = Object.entries(headers).map(([name, value]) => [name, withKnown(asker, value)] as const);
  return fetch(`http://127.0.0.1:${world.portOf(8080)}${withKnown(asker, path)}`, {
    method,
    headers: {
      ...(isAnonymous ? {} : { "x-api-key": places.key }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...Object.fromEntries(written),
    },
    body,
  });
}

function bodyOf(asker: Asker, { text, body }: ApiRequest): string | undefined {
  return text ?? (body === undefined ? undefined : withKnown(asker, JSON.stringify(body)));
}

const MINUTE_MS = 60_000;
const COMMAND_MS = 10_000;

/** One command as typed, `--json` behind it, and what came of it. */
export async function typedLine(asker: Asker, line: string): Promise<string> {
  const { world, known } = asker;
  const words = wordsOf(line).map((word) => withKnown(asker, word));
  const ms = line.startsWith("batch send") ? MINUTE_MS : COMMAND_MS;
  const { text, code } = await within(world, ms, () => answered(world, world.type([...words, "--json"])));
  remember(known, text);
  return `$ bendre ${line}\n${pretty(withoutProgress(text)).trimEnd()}\n= ${code}\n`;
}

/** The `data` of a command that is done. @throws where it is refused. */
export async function dataOf(world: World, line: string): Promise<Record<string, unknown>> {
  const { text, code } = await world.type([...wordsOf(line), "--json"]);
  if (code !== 0) throw new Error(`${line}: ${text}`);
  return (JSON.parse(text) as { data: Record<string, unknown> }).data;
}

/** Something that takes so much time at most, and then always as much: what follows is at the same moment each time. */
export async function within<Value>(world: World, ms: number, work: () => Promise<Value>): Promise<Value> {
  const endMs = world.nowMs() + ms;
  const value = await work();
  if (world.nowMs() > endMs) throw new Error(`it took ${world.nowMs() - endMs} ms too long`);
  await world.pass(endMs - world.nowMs());
  return value;
}

/** What is answered, however long it rests or waits meanwhile: time goes by as far as it must. */
export async function answered<Answer>(world: World, answering: Promise<Answer>): Promise<Answer> {
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
export async function toldAll(world: World): Promise<void> {
  let before: unknown = null;
  for (let same = 0; same < 3; ) {
    await world.pass(1000);
    await Bun.sleep(10);
    const { in_flight, delivered } = await dataOf(world, "webhook status");
    same = in_flight === 0 && delivered === before ? same + 1 : 0;
    before = delivered;
  }
}

/** Lets time pass until the last batch is validated. */
export async function validated(asker: Asker): Promise<void> {
  for (;;) {
    await asker.world.pass(1000);
    await Bun.sleep(20);
    const answer = await sent(asker, { path: `${API}/batches/$BATCH_ID` });
    if (!(await answer.text()).includes('"VALIDATING"')) return;
  }
}

/** Ids that an answer holds, for what is asked later. */
function remember(known: Map<string, string>, text: string): void {
  for (const [, field = "", value = ""] of text.matchAll(/"(\w+_id)":\s*"([^"]+)"/g)) {
    const isOurs = field === "key_id" || /^0[0-9A-HJKMNP-TV-Z]{25}$/.test(value);
    if (isOurs) known.set(`$${field.toUpperCase()}`, value);
  }
}

/** A text in which names such as `$BATCH_ID` are what they stand for. */
export function withKnown({ places, known }: Asker, text: string): string {
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
export function wordsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
}
