import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../../src/cli/cli.ts";

/** What `--json` prints. */
export type Document = {
  readonly data?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: string; readonly detail: string };
};

export type Ran = { readonly code: number; readonly out: string; readonly err: string };

export type CliFixture = {
  /** The data directory. */
  readonly data: string;
  readonly configPath: string;
  /** Runs `bendre` with these words as a user typed them, $BENDRE_CONFIG naming the configuration. */
  readonly run: (...words: string[]) => Promise<Ran>;
  /** The same with these variables in the environment. */
  readonly runIn: (env: Readonly<Record<string, string>>, ...words: string[]) => Promise<Ran>;
  /** The same with `--json`: the one document on stdout, decoded. */
  readonly json: (...words: string[]) => Promise<Document>;
  readonly close: () => void;
};

const CONFIG = `
[operators.orange]
prefixes = ["22605"]
price = 15
[[operators.orange.connections]]
host = "127.0.0.1"
system_id = "bendre"
password = "secret99"
`;

/** A configuration file and a data directory beside it. */
export function cliFixture(config = CONFIG): CliFixture {
  const root = mkdtempSync(join(tmpdir(), "bendre-cli-"));
  const configPath = join(root, "config.toml");
  writeFileSync(configPath, config);
  const runIn = async (variables: Readonly<Record<string, string>>, ...words: string[]): Promise<Ran> => {
    let out = "";
    let err = "";
    const code = await runCli(words, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      env: { BENDRE_CONFIG: configPath, SUDO_USER: "awa", ...variables },
    });
    return { code, out, err };
  };
  const run = (...words: string[]) => runIn({}, ...words);
  return {
    data: join(root, "data"),
    configPath,
    run,
    runIn,
    json: async (...words) => JSON.parse((await run(...words, "--json")).out),
    close: () => rmSync(root, { recursive: true }),
  };
}
