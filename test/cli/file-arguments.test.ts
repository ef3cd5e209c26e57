import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { writeNewFile } from "../../src/cli/admin-command.ts";

const COMMAND = { file: { flag: "pcap", member: "capture" } } as const;

let directory: string;
let path: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-file-"));
  path = join(directory, "a.pcap");
});
afterEach(() => rmSync(directory, { recursive: true }));

describe("what an answer holds for a file", () => {
  test("is written into a new file of its owner's alone, which is named in its place", async () => {
    const answer = { message_id: "M", capture: Buffer.from("octets").toString("base64") };
    const kept = await writeNewFile(COMMAND, { pcap: path }, answer);
    expect(kept).toEqual({ ok: true, value: { message_id: "M", capture: path } });
    expect(readFileSync(path, "utf8")).toBe("octets");
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  test("is written over no file that is there", async () => {
    const answer = { capture: "" };
    await writeNewFile(COMMAND, { pcap: path }, { capture: Buffer.from("first").toString("base64") });
    const again = await writeNewFile(COMMAND, { pcap: path }, answer);
    expect(again).toMatchObject({ ok: false, refusal: { code: "FILE_UNWRITABLE" } });
    expect(readFileSync(path, "utf8")).toBe("first");
  });

  test("is missed where a server of an earlier version did the command: no file is made up", async () => {
    const kept = await writeNewFile(COMMAND, { pcap: path }, { message_id: "M" });
    expect(kept).toMatchObject({ ok: false, refusal: { code: "COMMAND_UNKNOWN" } });
    expect(existsSync(path)).toBe(false);
  });
});
