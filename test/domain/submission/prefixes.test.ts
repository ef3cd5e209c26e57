import { expect, test } from "vitest";
import { prefixTable } from "../../../src/domain/submission/phone-numbers.ts";

const ownerOf = prefixTable({
  orange: { prefixes: ["22605", "2264", "22676"] },
  moov: { prefixes: ["22670", "226700"] },
  virtual: { prefixes: ["2267012"] },
});

test("a number belongs to the operator of its prefix", () => {
  expect(ownerOf("22605123456")).toBe("orange");
  expect(ownerOf("22646123456")).toBe("orange");
  expect(ownerOf("22671123456")).toBeNull();
});

// Keeps: behaviour 4.24
test("the longest matching prefix wins", () => {
  expect(ownerOf("22670123456")).toBe("virtual");
  expect(ownerOf("22670023456")).toBe("moov");
  expect(ownerOf("22670993456")).toBe("moov");
});

test("a number shorter than a prefix does not begin with it", () => {
  expect(ownerOf("2267")).toBeNull();
  expect(ownerOf("22670")).toBe("moov");
  expect(ownerOf("")).toBeNull();
});

test("without operators nobody owns anything", () => {
  expect(prefixTable({})("22670123456")).toBeNull();
});
