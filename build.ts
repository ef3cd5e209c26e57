/**
 * Builds one self-contained executable for this machine: `bun run build` leaves it at dist/bendre, another path may be
 * given as the first argument. `bun build.ts FILE arm64 RUNTIME` builds for another kind of machine, around the runtime for it.
 */
import { rmSync } from "node:fs";
import { $ } from "bun";
import packageFile from "./package.json" with { type: "json" };
import { ingredients, licencesText } from "./scripts/package/inventory.ts";
import { bundleFrontEnd } from "./src/console/server/ui-bundle.ts";
import { readGuide } from "./src/docs/site/pages.ts";
import { pack } from "./src/i18n/carried-texts.ts";
import { readCatalogues } from "./src/i18n/text.ts";

const [, , outfile = "dist/bendre", arch, runtime] = process.argv;
const commit = (await $`git rev-parse --short=12 HEAD`.nothrow().quiet().text()).trim() || "unknown";

/**
 * What packages that the program uses load and it never does, with what stands in its place: the character sets of `smpp`, whose tables
 * of the standard alone are used; the looks of a page of the OpenAPI plugin, and the types of uploaded files of Elysia, which nobody asks for.
 */
const UNUSED: Readonly<Record<string, string>> = {
  "iconv-lite": "export default {};",
  "@scalar/themes": 'export const elysiajsTheme = "";',
  "file-type": "export {};",
};

/** What stands in place of a variable of the source. */
const carry = (value: unknown): string => JSON.stringify(pack(value));

const result = await Bun.build({
  // The program, and what its threads start with.
  entrypoints: [
    "./src/main.ts",
    "./src/admin/reports/books-thread.ts",
    "./src/admin/reports/storage-thread.ts",
    "./src/admin/operations/erasure/search-thread.ts",
    "./src/ingress/api/submission-thread.ts",
    "./src/ingress/api/page-thread.ts",
    "./src/webhooks/delivery-thread.ts",
    "./src/ops/backup/backup-thread.ts",
    "./src/console/server/send/file-thread.ts",
  ],
  root: "./src",
  target: "bun",
  // CommonJS, the default with bytecode, would bake paths of the building machine in.
  format: "esm",
  bytecode: true,
  // What the threads share with the program stands in the executable once.
  splitting: true,
  sourcemap: "linked",
  plugins: [
    {
      name: "unused",
      setup: (build) => {
        build.onLoad(
          { filter: new RegExp(`/node_modules/(?:${Object.keys(UNUSED).join("|")})/`) },
          ({ path }) => {
            const name = Object.keys(UNUSED).find((one) => path.includes(`/node_modules/${one}/`)) ?? "";
            return { contents: UNUSED[name] ?? "", loader: "js" };
          },
        );
      },
    },
  ],
  minify: { whitespace: true, syntax: true, identifiers: false },
  define: {
    "process.env.NODE_ENV": '"production"',
    "process.env.BENDRE_VERSION": JSON.stringify(packageFile.version),
    "process.env.BENDRE_COMMIT": JSON.stringify(commit),
    "process.env.BENDRE_CATALOGUES": carry(readCatalogues()),
    "process.env.BENDRE_GUIDE": carry(readGuide()),
    "process.env.BENDRE_FRONT_END": carry(await bundleFrontEnd()),
    "process.env.BENDRE_LICENCES": carry(licencesText(ingredients(import.meta.dir))),
  },
  compile: {
    outfile,
    ...(runtime === undefined
      ? {}
      : { target: `bun-linux-${arch === "arm64" ? "arm64" : "x64"}`, executablePath: runtime }),
    // What lies in the directory it is started from must not change what it does.
    autoloadDotenv: false,
    autoloadBunfig: false,
    autoloadTsconfig: false,
    autoloadPackageJson: false,
  },
});
if (!result.success) {
  for (const message of result.logs) console.error(message);
  process.exit(1);
}
// The executable carries its source maps; the runtime writes them beside it too.
for (const { path, kind } of result.outputs) if (kind === "sourcemap") rmSync(path, { force: true });
console.log(`${outfile} ${packageFile.version} (${commit})`);
