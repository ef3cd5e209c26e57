/** Starts the executable itself on what a power cut left. */
import { join } from "node:path";
import { going } from "../../scripts/rehearse/going.ts";
import type { Ground } from "./ground.ts";
import { configOf, type Json } from "./recorded-appliance.ts";
import type { Fact } from "./told.ts";

/** What starting needs. */
export type Starter = {
  readonly executable: string;
  /** Where its configuration is put. */
  readonly path: string;
  readonly authority: string;
  readonly apiKey: string;
};

/** So many of the batches that were told last are fetched. */
const FETCHED = 10;
/** Nobody listens there: what waits goes on waiting. */
const DEAD_PORT = 1;

/** Starts on the data directory that was put there, has the books checked, fetches what was promised and stops; what was wrong with any of it. */
export async function startOn(
  starter: Starter,
  { data, judge }: Ground,
  promises: readonly Fact[],
): Promise<readonly string[]> {
  const config = await configureStart(starter, data);
  const server = going([starter.executable, "serve", "--config", config]);
  try {
    const { url } = JSON.parse(await server.line('"ready"')) as { url: string };
    const problems = [
      ...(await booksProblems(data)),
      ...(await fetchProblems(`${url}/public/v1/batches`, starter.apiKey, promises)),
    ];
    const code = await server.stop();
    if (code !== 0) return [...problems, `it stopped with ${code}: ${server.errors.slice(-3).join(" ")}`];
    return [...problems, ...(await judge(promises))];
  } catch (error) {
    await server.kill();
    return [`the executable: ${error instanceof Error ? error.message : error}`];
  }
}

/** Writes a configuration for a start on a data directory; its path. */
export async function configureStart({ path, authority }: Starter, data: string): Promise<string> {
  const config = join(path, "config.toml");
  await Bun.write(config, configOf(data, authority, DEAD_PORT));
  return config;
}

async function booksProblems(data: string): Promise<readonly string[]> {
  const response = await fetch("http://bendre/command", {
    unix: join(data, "control.sock"),
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ command: "ledger check", args: {}, actor: "power cut" }),
  });
  const { error } = (await response.json()) as { error?: Json };
  return error === undefined ? [] : [`ledger check: ${JSON.stringify(error)}`];
}

async function fetchProblems(
  batches: string,
  apiKey: string,
  promises: readonly Fact[],
): Promise<readonly string[]> {
  const ids = promises.flatMap((fact) => /^batch (\w{26}) of /.exec(fact)?.[1] ?? []).slice(-FETCHED);
  const problems: string[] = [];
  for (const id of ids) {
    const answer = await fetch(`${batches}/${id}`, { headers: { authorization: `Bearer ${apiKey}` } });
    if (answer.status !== 200) problems.push(`GET of batch ${id}: ${answer.status}`);
  }
  return problems;
}
