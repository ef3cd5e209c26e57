/** A bug that names what is no longer there ends in a crash and not in what it is about: each plant compiles. */
import { dirname, join } from "node:path";
import ts from "typescript";
import { expect, test } from "vitest";
import { ROOT, textOf } from "../../tidy/source.ts";
import { planted } from "./plant.ts";
import { PLANTS } from "./plants.ts";

/** What a bug may leave behind that a check would refuse: names that nobody uses any more, and types that cannot be told any more. */
const HARMLESS = new Set([6133, 6192, 6196, 6198, 7022, 7023, 7024]);

test("the source compiles with each planted bug", { timeout: 600_000 }, () => {
  const settings = ts.readConfigFile(join(ROOT, "tsconfig.json"), ts.sys.readFile);
  const { options, fileNames } = ts.parseJsonConfigFileContent(settings.config, ts.sys, ROOT);
  /** Files as a bug has them. */
  const changed = new Map<string, string>();
  let version = 0;
  const service = ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => fileNames.filter((file) => file.startsWith(join(ROOT, "src"))),
    getScriptVersion: (file) => (changed.has(file) ? `planted-${version}` : "0"),
    getScriptSnapshot: (file) => {
      const text = changed.get(file) ?? ts.sys.readFile(file);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => ROOT,
    getDefaultLibFileName: (given) =>
      join(dirname(ts.getDefaultLibFilePath(given)), ts.getDefaultLibFileName(given)),
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  });
  const faults = PLANTS.flatMap(({ name, edits }) => {
    changed.clear();
    version += 1;
    for (const edit of edits) {
      const file = join(ROOT, edit.file);
      changed.set(file, planted(changed.get(file) ?? textOf(edit.file), edit));
    }
    return [...changed.keys()]
      .filter((file) => file.endsWith(".ts"))
      .flatMap((file) =>
        [...service.getSyntacticDiagnostics(file), ...service.getSemanticDiagnostics(file)]
          .filter(({ code }) => !HARMLESS.has(code))
          .map(({ messageText }) => `${name}: ${ts.flattenDiagnosticMessageText(messageText, " ")}`),
      );
  });
  expect(faults).toEqual([]);
});
