import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER_CERTIFICATE, SERVER_KEY } from "../../test/smpp/server-certificate.ts";
import { operatorAccount } from "./account.ts";
import { makeTemplate, startAppliance, type Template, THROUGHPUT, WINDOW } from "./appliance.ts";
import { followed } from "./followed.ts";
import { going } from "./going.ts";
import type { Row } from "./rows.ts";
import { submissionOf } from "./texts.ts";
import { type Verdict, verdictOf } from "./verdict.ts";

/** What every row of a run shares. */
export type Rehearsal = {
  readonly executable: string;
  /** Of the run; each row has a directory of its own in it. */
  readonly directory: string;
  readonly template: Template;
  /** Messages of each row. */
  readonly count: number;
};

export function prepareRehearsal(executable: string, directory: string, count: number): Rehearsal {
  writeFileSync(join(directory, "certificate.pem"), SERVER_CERTIFICATE);
  writeFileSync(join(directory, "key.pem"), SERVER_KEY);
  return { executable, directory, count, template: makeTemplate(executable, directory) };
}

/** Runs one row in `directory`/`place`, the simulated operator on `port` (0: any free one), and judges it. */
export async function runRow(rehearsal: Rehearsal, row: Row, place: string, port = 0): Promise<Verdict> {
  const { executable, directory, template, count } = rehearsal;
  const home = join(directory, place);
  mkdirSync(home);
  const settings = [
    `--port=${port}`,
    `--window-check=${row.window ?? WINDOW}`,
    `--throughput-check=${row.throughput ?? THROUGHPUT}`,
    ...(row.isTls
      ? [`--tls-key=${join(directory, "key.pem")}`, `--tls-certificate=${join(directory, "certificate.pem")}`]
      : []),
  ];
  const smsc = going([executable, "smsc", "--json", "--strict", ...settings, ...row.smsc]);
  const listening = JSON.parse(await smsc.line('"listening"')) as { port: number };
  const appliance = await startAppliance(executable, home, template, listening.port, row);

  const { bodies, asked } = submissionOf(count);
  for (const [index, body] of bodies.entries()) await appliance.submit(`rehearsal-${index}`, body);
  const messages = await followed(appliance, asked.size);
  const wallet = await appliance.balance();
  const ledgerProblem = appliance.ledgerProblem();
  const exitCodes = [await appliance.process.stop(), await smsc.stop()];
  writeFileSync(join(home, "operator.jsonl"), smsc.lines.join("\n"));
  writeFileSync(join(home, "appliance.log"), appliance.process.errors.join("\n"));
  const errors = appliance.process.errors.filter((line) => line.includes('"level":"error"'));
  const account = operatorAccount(smsc.lines);
  return verdictOf({ row, asked, messages, wallet, ledgerProblem, account, errors, exitCodes });
}
