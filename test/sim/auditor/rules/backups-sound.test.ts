import { describe, expect, test } from "vitest";
import { opening } from "../scene.ts";
import { backupsSound } from "./backups-sound.ts";
import { found } from "./found.ts";

function drilled(detail: string): string {
  const run = opening();
  run.command("backup drill", {}, { code: "BACKUP_UNSOUND", detail });
  return found(run, backupsSound);
}

describe("a backup that is restored for a trial", () => {
  test("is a finding where it is not sound", () => {
    expect(drilled("1 fault(s): account X: funds is 5 XOF, its entries make 4")).toContain("backup");
    expect(drilled("SQLiteError: database disk image is malformed")).toContain("backup");
  });

  test("may be refused for want of room", () => {
    expect(drilled("DIRECTORY has 3 MB free, this takes 1 MB, and 8 MB are kept free")).toBe("");
  });
});
