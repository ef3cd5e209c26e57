/** Observations as JSON lines: what a run leaves behind, so that it can be audited again and read by people. */
import { closeSync, openSync, writeSync } from "node:fs";
import type { Observation } from "../sim/observation.ts";

/** One observation as a line; octets in hex. */
export function lineOf(observation: Observation): string {
  return observation.kind === "pdu"
    ? JSON.stringify({ ...observation, octets: Buffer.from(observation.octets).toString("hex") })
    : JSON.stringify(observation);
}

/** The observation of a line that `lineOf` wrote. */
export function observationOf(line: string): Observation {
  const read = JSON.parse(line) as Observation & { octets?: string };
  return read.kind === "pdu"
    ? { ...read, octets: new Uint8Array(Buffer.from(String(read.octets), "hex")) }
    : read;
}

export type LineFile = {
  readonly add: (observation: Observation) => void;
  /** Everything added stands in the file afterwards. */
  readonly flush: () => void;
  readonly close: () => void;
};

/** So many lines are written at once. */
const GATHERED = 2000;

/** A new file of lines. */
export function lineFile(path: string): LineFile {
  const file = openSync(path, "w");
  let gathered: string[] = [];
  const flush = (): void => {
    if (gathered.length === 0) return;
    writeSync(file, `${gathered.join("\n")}\n`);
    gathered = [];
  };
  return {
    add: (observation) => {
      gathered.push(lineOf(observation));
      if (gathered.length >= GATHERED) flush();
    },
    flush,
    close: () => {
      flush();
      closeSync(file);
    },
  };
}
