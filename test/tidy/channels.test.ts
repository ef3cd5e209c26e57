import { expect, test } from "vitest";
import { codeOf, filesBelow, isProgram, textOf } from "./source.ts";

/** What a program says that asks which channel something is of. */
const ASKS = /["'](?:SMS|WHATSAPP)["']|\b(?:SMS|WHATSAPP): |\btoWhatsAppNumber\(/;
const OWN = /^src\/(?:channels|simulator|demo|docs)\/|^src\/app\/channels\.ts$|\/words\//;

/** The files of a row: one without a folder stands where the one before it stands. */
function filesOf(cell: string): string[] {
  let folder = "";
  return cell
    .replace(" *", "")
    .split(", ")
    .map((name) => {
      if (name.includes("/")) folder = name.slice(0, name.lastIndexOf("/") + 1);
      return name.includes("/") ? name : `${folder}${name}`;
    });
}

/** The table of the page on architecture: who asks which channel something is of. */
function listed(): string[] {
  const [, rows = ""] =
    /### Who asks which channel a thing is of[\s\S]*?\|---\|---\|\n((?:\|.*\|\n)+)/.exec(
      textOf("src/docs/architecture.md"),
    ) ?? [];
  return rows
    .trim()
    .split("\n")
    .flatMap((row) => filesOf(row.split("|")[1]?.trim() ?? ""));
}

test("nothing outside asks which channel something is of but where the page on a third channel says why", () => {
  const asking = filesBelow("src")
    .filter(isProgram)
    .filter((file) => !OWN.test(file) && ASKS.test(codeOf(file, "kept")))
    .map((file) => file.replace("src/", ""));
  expect(asking.toSorted()).toEqual(listed().toSorted());
});
