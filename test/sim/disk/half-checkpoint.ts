/** A checkpoint that ended in the middle: of the pages it was copying, some are in the database file. */
import { closeSync, openSync, readSync, writeSync } from "node:fs";
import type { Chance } from "../../../src/core/chance.ts";
import { tornPage } from "./after-crash.ts";
import { newestPages, pageSizeOf } from "./log-file.ts";

/**
 * Writes some pages of the log's frames `from` to `to` into the database file: of a killed process the first so many, after a
 * power cut any of them, and some torn; `whole`: all of them. How many.
 */
export function copyHalf(
  database: string,
  log: Uint8Array,
  [from, to]: readonly [from: number, to: number],
  how: "process" | "power" | "whole",
  chance: Chance,
): number {
  const pageSize = pageSizeOf(log);
  if (pageSize === null) return 0;
  const pages = newestPages(log, pageSize, from, to);
  const some = how !== "process" ? pages : pages.slice(0, Math.floor(chance.fraction() * (pages.length + 1)));
  const file = openSync(database, "r+");
  try {
    for (const [page, octets] of some) {
      const at = (page - 1) * pageSize;
      const old = new Uint8Array(pageSize);
      readSync(file, old, 0, pageSize, at);
      writeSync(file, how === "power" ? tornPage(old, octets, chance) : octets, 0, pageSize, at);
    }
  } finally {
    closeSync(file);
  }
  return some.length;
}
