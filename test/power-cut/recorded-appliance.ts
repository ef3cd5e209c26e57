/** The executable with the recorder preloaded, and what its clients and administrators see of it, with marks in its log. */
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Going, going } from "../../scripts/rehearse/going.ts";
import { TEST_AUTHORITY } from "../kit/certificates.ts";
import { type Fact, type Mark, recordOf } from "./told.ts";

export type Json = Readonly<Record<string, unknown>>;

/** Who gives the commands beside a server. */
export const ACTOR = "power cut";

/** Where a recorded run keeps its things. */
export type Place = {
  readonly path: string;
  readonly data: string;
  readonly log: string;
  readonly config: string;
  readonly authority: string;
  /** The directory whose files the recorder watches. */
  readonly recorded: string;
  readonly remove: () => void;
};

/** Makes a place. */
export function makePlace(): Place {
  return placeAt(mkdtempSync(join(tmpdir(), "bendre-power-cut-")));
}

/** The place at a path. */
export function placeAt(path: string): Place {
  const data = join(path, "data");
  return {
    path,
    data,
    recorded: data,
    log: join(path, "writes.log"),
    config: join(path, "config.toml"),
    authority: join(path, "ca.pem"),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}

/** Puts a configuration there, for an operator on `port`. */
export function configure(place: Place, port: number): void {
  writeFileSync(place.authority, TEST_AUTHORITY);
  writeFileSync(place.config, configOf(place.data, place.authority, port));
}

/** A configuration of one operator. */
export function configOf(data: string, authority: string, port: number): string {
  return `
[server]
listen = "127.0.0.1:0"
[storage]
directory = "${data}"
[api]
requests_per_second = 1000
burst = 1000
[policy]
marketing_hours = "00:00-24:00"
[webhooks]
allow_private_targets = true
ca_file = "${authority}"
[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
port = ${port}
system_id = "bendre"
password = "secret"
window = 10
throughput = 300
reconnect_seconds = 1
`;
}

/** Builds the recorder. @throws what gcc says, or that it is not there. */
export function buildRecorder(path: string): string {
  const library = join(path, "recorder.so");
  const gcc = Bun.which("gcc");
  if (gcc === null) throw new Error("gcc is not there: the recorder cannot be built");
  const source = join(import.meta.dir, "recorder.c");
  const built = Bun.spawnSync([gcc, "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"]);
  if (built.exitCode !== 0) throw new Error(built.stderr.toString());
  return library;
}

/** The words that start the executable with the recorder before it. */
export function recordedCommand(
  executable: string,
  { library, log, directory }: { readonly library: string; readonly log: string; readonly directory: string },
): readonly string[] {
  const environment = [`LD_PRELOAD=${library}`, `RECORDED_LOG=${log}`, `RECORDED_DIRECTORY=${directory}`];
  return ["env", ...environment, executable];
}

export type Recorded = {
  readonly place: Place;
  readonly start: () => Promise<Going>;
  /** A command without a server; what it answered. */
  readonly command: (factsOf: (data: Json) => readonly Fact[], ...words: string[]) => Promise<Json>;
  /** A command beside the server, of one that changes something and so is in the audit. */
  readonly control: (
    command: string,
    args: Readonly<Record<string, string>>,
    facts: (data: Json) => readonly Fact[],
  ) => Promise<Json>;
  /** A request; `told` says from what it is answered by, which octets tell it, and what that promises. */
  readonly ask: (
    method: string,
    path: string,
    body: Json | null,
    key: string,
    told: (data: Json) => { readonly token: string; readonly facts: readonly Fact[] },
  ) => Promise<Json>;
  readonly seen: (facts: readonly Fact[]) => void;
  readonly apiKey: { value: string };
};

/** The executable in a place, recorded. */
export function recorded(executable: string, place: Place, library: string): Recorded {
  const environment = recordedCommand(executable, { library, log: place.log, directory: place.recorded });
  const apiKey = { value: "" };
  let url = "";
  let questions = 0;
  let commands = 0;
  const mark = (what: Mark): void => appendFileSync(place.log, recordOf(what));
  const asking = (): number => {
    questions += 1;
    mark({ asking: questions });
    return questions;
  };
  return {
    place,
    apiKey,
    seen: (facts) => mark({ seen: facts }),
    start: async () => {
      const server = going([...environment, "serve", "--config", place.config]);
      url = (JSON.parse(await server.line('"ready"')) as { url: string }).url;
      return server;
    },
    command: async (factsOf, ...words) => {
      const run = Bun.spawn([...environment, ...words, "--config", place.config, "--json"], {
        cwd: tmpdir(),
      });
      const answer = JSON.parse(await new Response(run.stdout).text()) as { data?: Json };
      if (answer.data === undefined) throw new Error(`${words.join(" ")}: ${JSON.stringify(answer)}`);
      mark({ seen: factsOf(answer.data) });
      return answer.data;
    },
    control: async (command, args, facts) => {
      const answered = asking();
      const response = await fetch("http://bendre/command", {
        unix: join(place.data, "control.sock"),
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ command, args, actor: ACTOR }),
      });
      const { data, error } = (await response.json()) as { data?: Json; error?: Json };
      if (data === undefined) throw new Error(`${command}: ${JSON.stringify(error)}`);
      commands += 1;
      mark({ answered, token: '"data"', isLocal: true, facts: [...facts(data), `audited ${commands}`] });
      return data;
    },
    ask: async (method, path, body, key, told) => {
      const answered = asking();
      const response = await fetch(`${url}/public/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${apiKey.value}`,
          "content-type": "application/json",
          ...(key === "" ? {} : { "idempotency-key": key }),
        },
        body: body === null ? null : JSON.stringify(body),
      });
      const { data } = (await response.json()) as { data?: Json };
      if (!response.ok || data === undefined) throw new Error(`${method} ${path}: ${response.status}`);
      mark({ answered, isLocal: false, ...told(data) });
      return data;
    },
  };
}

/** What a recorded run left in its log. */
export function logOf(place: Place): Uint8Array {
  return readFileSync(place.log);
}
