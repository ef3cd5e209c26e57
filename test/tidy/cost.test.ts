import { expect, test } from "vitest";
import { codeOf, filesBelow } from "./source.ts";

/** Segments times a price, or the other way round, in TypeScript and in SQL. */
const PRODUCT = /segments\w*\s*\*\s*(?:\w+\.)?price\b|\bprice\s*\*\s*(?:\w+\.)*\w*segments/gi;

test("what a message costs is worked out in one place, once for programs and once for SQL", () => {
  const places = filesBelow("src")
    .filter((file) => file.endsWith(".ts"))
    .flatMap((file) => [...codeOf(file, "kept").matchAll(PRODUCT)].map(([found]) => `${file}: ${found}`));
  expect(places).toEqual([
    "src/domain/messages/message-money.ts: segments * price",
    "src/domain/messages/message-money.ts: segments * m.price",
    "src/domain/messages/message-money.ts: segments * w.price",
  ]);
});
