import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { KEY_FILE, openSecretSeal } from "../../src/webhooks/signing.ts";
import { seededChance } from "../kit/test-chance.ts";

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "bendre-seal-"));
});
afterEach(() => rmSync(directory, { recursive: true }));

const secret = new TextEncoder().encode("a secret of thirty-two octets !!");
const file = () => join(directory, KEY_FILE);
const seal = (seed = 1) => openSecretSeal(directory, seededChance(seed));

describe("a seal", () => {
  test("makes its key file when it is first needed, for its owner alone", () => {
    const fresh = seal();
    expect(fresh.open(new Uint8Array(60), "A")).toBeNull();
    expect(existsSync(file())).toBe(false);
    fresh.close(secret, "A");
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(readFileSync(file()).length).toBe(32);
  });

  test("makes its key file whole or not at all, and leaves one alone that holds no key", () => {
    const half = `${file()}.new`;
    writeFileSync(half, "ha");
    seal().close(secret, "A");
    expect([readFileSync(file()).length, existsSync(half)]).toEqual([32, false]);
    writeFileSync(file(), "");
    expect(() => seal().close(secret, "A")).toThrow(KEY_FILE);
    expect(readFileSync(file()).length).toBe(0);
  });

  test("opens what it closed, also after a restart, and shows nothing of it", () => {
    const sealed = seal(1).close(secret, "A");
    expect(Buffer.from(seal(2).open(sealed, "A") ?? "").equals(secret)).toBe(true);
    expect(Buffer.from(sealed).includes(Buffer.from(secret))).toBe(false);
  });

  test("closes the same secret differently each time", () => {
    const one = seal();
    expect(one.close(secret, "A")).not.toEqual(one.close(secret, "A"));
  });

  test("does not open under another label, when altered, cut off, or with another key", () => {
    const one = seal(1);
    const sealed = one.close(secret, "A");
    expect(one.open(sealed, "B")).toBeNull();
    for (const place of [0, 20, sealed.length - 1]) {
      const altered = Uint8Array.from(sealed);
      altered[place]! ^= 1;
      expect(one.open(altered, "A")).toBeNull();
    }
    expect(one.open(sealed.subarray(0, 20), "A")).toBeNull();
    chmodSync(file(), 0o600);
    writeFileSync(file(), new Uint8Array(32).fill(9));
    expect(seal(1).open(sealed, "A")).toBeNull();
  });
});
