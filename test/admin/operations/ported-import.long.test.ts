/** A hundred thousand ported numbers, beside a server that goes on. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Args } from "../../../src/admin/command.ts";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { createMsisdnReader } from "../../../src/admin/operations/msisdn.ts";
import { done } from "../../../src/admin/operations/refusal.ts";
import { PORTED_FILE_COMMAND } from "../../../src/admin/ported-file.ts";
import { systemClock } from "../../../src/core/clock.ts";
import type { Tx } from "../../../src/db/writer.ts";
import { NumberOwners } from "../../../src/domain/submission/ported-numbers.ts";
import { adminFixture } from "./fixture.ts";

const COUNT = 100_000;
/** Rows written in one transaction, at most. */
const MOST_A_STEP = 300;

test("a hundred thousand rows are staged in short steps, count in one commit, and are replaced in one", async () => {
  const fixture = adminFixture();
  const directory = mkdtempSync(join(tmpdir(), "bendre-ported-"));
  const { store, config } = fixture.context;
  const owners = new NumberOwners(() => config.operators, store.read);
  const first = "22605000000";
  const last = String(Number(first) + COUNT - 1);
  /** Rows that each transaction wrote, and what the first and the last number were routed by behind it. */
  const steps: { readonly rows: number; readonly seen: string }[] = [];
  const watched: AdminContext["store"] = {
    ...store,
    write: async (job, ...rest) => {
      let rows = 0;
      const counting = (tx: Tx): Tx => ({
        ...tx,
        run: (sql, ...params) => {
          const changed = tx.run(sql, ...params);
          rows += changed;
          return changed;
        },
      });
      const result = await store.write((tx) => job(counting(tx)), ...rest);
      steps.push({ rows, seen: [first, last].map((digits) => String(owners.operatorOf(digits))).join(" ") });
      return result;
    },
  };
  const readMsisdn = createMsisdnReader(config);
  const importAll = async (operator: string, args: Args) => {
    const path = join(directory, `${operator}.csv`);
    const lines = Array.from({ length: COUNT }, (_, index) => `${Number(first) + index};${operator}\n`);
    writeFileSync(path, lines.join(""));
    const brought = await PORTED_FILE_COMMAND.attach?.(
      { ...args, FILE: path },
      {
        read: async (file) => done(await Bun.file(file).bytes()),
        isNumber: (text) => readMsisdn(text) !== null,
        written: (body) => ({ body, tags: new Set() }),
      },
    );
    if (!brought?.ok) throw new Error("the file was not read");
    steps.length = 0;
    const context = { ...fixture.context, clock: systemClock, store: watched };
    return PORTED_FILE_COMMAND.run(context, args, brought.value.attachment);
  };
  const changes = () => steps.map(({ seen }) => seen).filter((seen, at, all) => seen !== all[at - 1]);

  expect(await importAll("moov", {})).toMatchObject({ ok: true, value: { numbers: COUNT } });
  expect(changes()).toEqual(["orange orange", "moov moov"]);
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThan(MOST_A_STEP);

  expect(await importAll("none", { replace: "" })).toMatchObject({ ok: true, value: { numbers: COUNT } });
  expect(changes()).toEqual(["moov moov", "null null"]);
  expect(Math.max(...steps.map(({ rows }) => rows))).toBeLessThan(MOST_A_STEP);
  const rows = store.read.get<{ rows: number }>("SELECT count(*) AS rows FROM ported_numbers");
  expect(rows).toEqual({ rows: COUNT });

  await fixture.close();
  rmSync(directory, { recursive: true });
}, 60_000);
