/**
 * Makes the client for TypeScript and JavaScript: `bun scripts/sdk.ts` leaves a package for npm in dist/sdk, with the types of the
 * OpenAPI document. `bun scripts/sdk.ts --types` writes the types of today's document to scripts/sdk, where the source needs them.
 */
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import packageFile from "../package.json" with { type: "json" };
import { openApiOfToday } from "./sdk/document.ts";

const ROOT = resolve(import.meta.dir, "..");
const SOURCE = join(ROOT, "scripts/sdk");
const READMES = ["README.md", "README.fr.md"];

async function run(...words: string[]): Promise<void> {
  const child = Bun.spawn([process.execPath, ...words], { cwd: ROOT, stdout: "pipe", stderr: "pipe" });
  const printed = (await child.stdout.text()) + (await child.stderr.text());
  if ((await child.exited) !== 0) throw new Error(`${words.join(" ")}\n${printed}`);
}

/** The types of the OpenAPI document as the source of the package imports them. */
export async function generatedTypes(): Promise<string> {
  const place = mkdtempSync(join(tmpdir(), "bendre-sdk-"));
  try {
    const document = join(place, "openapi.json");
    writeFileSync(document, await openApiOfToday());
    const generator = join(ROOT, "node_modules/@hey-api/openapi-ts/bin/run.js");
    const flags = ["--plugins", "@hey-api/typescript", "--no-log-file", "--silent"];
    await run(generator, "-i", document, "-o", join(place, "types"), ...flags);
    return await Bun.file(join(place, "types/types.gen.ts")).text();
  } finally {
    rmSync(place, { recursive: true, force: true });
  }
}

/** Makes the package in `target`, which is emptied first. */
export async function buildPackage(target: string): Promise<void> {
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  const built = await Bun.build({
    entrypoints: [join(SOURCE, "index.ts")],
    outdir: target,
    target: "browser",
    format: "esm",
  });
  if (!built.success) throw new AggregateError(built.logs, "the package does not build");
  const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
  const options = [
    "--declaration",
    "--emitDeclarationOnly",
    "--outDir",
    target,
    "--ignoreConfig",
    "--strict",
  ];
  const platform = ["--target", "ESNext", "--module", "Preserve", "--lib", "ESNext,DOM,DOM.Iterable"];
  const endings = ["--allowImportingTsExtensions", "--rewriteRelativeImportExtensions"];
  await run(compiler, ...options, ...platform, ...endings, join(SOURCE, "index.ts"));
  for (const file of new Bun.Glob("*.d.ts").scanSync(target)) {
    const declarations = join(target, file);
    // The compiler leaves the endings of the source in declarations.
    writeFileSync(
      declarations,
      readFileSync(declarations, "utf8").replaceAll(/(from "\.\/[\w.]+)\.ts"/g, '$1.js"'),
    );
  }
  for (const readme of READMES) copyFileSync(join(SOURCE, readme), join(target, readme));
  const description = {
    name: "bendre-sdk",
    version: packageFile.version,
    description: "Send texts through a Bendre service, follow them, verify webhooks.",
    type: "module",
    exports: { ".": { types: "./index.d.ts", default: "./index.js" } },
    types: "./index.d.ts",
    files: ["*.js", "*.d.ts", ...READMES],
    engines: { node: ">=20" },
    license: packageFile.license,
  };
  writeFileSync(join(target, "package.json"), `${JSON.stringify(description, null, 2)}\n`);
}

if (import.meta.main) {
  if (process.argv.includes("--types")) {
    writeFileSync(join(SOURCE, "types.gen.ts"), await generatedTypes());
  } else {
    await buildPackage(join(ROOT, "dist/sdk"));
    console.log(`dist/sdk ${packageFile.version}: npm pack ./dist/sdk`);
  }
}
