/** Bundles the front end for browsers: when the executable is built, and when the appliance runs from its source. */
import { basename, join } from "node:path";

/** One file of the bundle, named by its content. */
export type BuiltFile = { readonly name: string; readonly isEntry: boolean; readonly text: string };

/** The entry of the front end. */
const ENTRY = join(import.meta.dir, "../ui/main.tsx");

/**
 * Bundles the front end. What only some pages need is in files of its own.
 * @throws AggregateError when it does not compile.
 */
export async function bundleFrontEnd(): Promise<BuiltFile[]> {
  const named = "[name]-[hash].[ext]";
  const { outputs } = await Bun.build({
    entrypoints: [ENTRY],
    target: "browser",
    splitting: true,
    minify: true,
    naming: { entry: named, chunk: named, asset: named },
    publicPath: "/console/assets/",
    define: { "process.env.NODE_ENV": '"production"' },
  });
  return Promise.all(
    outputs.map(async (output) => {
      const name = basename(output.path);
      return {
        name,
        isEntry: output.kind === "entry-point" || name.endsWith(".css"),
        text: await output.text(),
      };
    }),
  );
}
