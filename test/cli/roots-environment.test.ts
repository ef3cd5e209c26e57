import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { withServices } from "../../src/cli/terminal.ts";

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-environment-"));
  path = join(directory, "environment");
  writeFileSync(path, "ORANGE_PASSWORD='secret 99'\nMOOV_PASSWORD=other\n", { mode: 0o600 });
});
afterEach(() => rmSync(directory, { recursive: true }));

/** Whoever runs the tests stands for root: the file is theirs. */
const asRoot = (env: Record<string, string> = {}) => withServices(env, { uid: 0, path });

test("root's commands have the variables that the service is given, and what is set already stays", () => {
  expect(asRoot({ MOOV_PASSWORD: "mine", LANG: "C" })).toEqual({
    ORANGE_PASSWORD: "secret 99",
    MOOV_PASSWORD: "mine",
    LANG: "C",
  });
});

test("those of others have not, and neither where the file is not there or others may write it", () => {
  expect(withServices({ LANG: "C" }, { uid: 1000, path })).toEqual({ LANG: "C" });
  expect(withServices({}, { uid: 0, path: join(directory, "none") })).toEqual({});
  chmodSync(path, 0o620);
  expect(asRoot()).toEqual({});
});
