import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium } from "playwright-core";

/** Where Chromium and its kin usually are. */
const USUAL_PLACES = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/usr/bin/google-chrome-stable",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

const MODULES = join(import.meta.dir, "../../node_modules");
const PACKAGE = join(MODULES, "@sparticuz/chromium");
/** Where the packaged browser is kept unpacked, by its version. */
const UNPACKED = join(MODULES, ".cache/bendre/chromium");

/** The browser that `CHROME_PATH` names, else the one that npm brought along, else an installed one; null without any. */
export function findBrowser(): "packaged" | { readonly path: string } | null {
  const named = process.env.CHROME_PATH;
  if (named !== undefined) return { path: named };
  if (process.platform === "linux" && process.arch === "x64" && existsSync(PACKAGE)) return "packaged";
  const installed = USUAL_PLACES.find((path) => existsSync(path));
  return installed === undefined ? null : { path: installed };
}

/** Starts the browser without a window, with a profile and files of its own below `directory`. */
export function openBrowser(
  found: "packaged" | { readonly path: string },
  directory: string,
): Promise<Browser> {
  const { path, env } = found === "packaged" ? fromPackage(directory) : { ...found, env: {} };
  return chromium.launch({
    executablePath: path,
    headless: true,
    env: { ...process.env, HOME: directory, ...env },
    args: [
      ...["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"],
      ...["--disable-background-networking", "--disable-component-update", "--disable-sync"],
    ],
  });
}

/** The packaged browser with the libraries and fonts that a bare machine lacks. */
function fromPackage(directory: string): { readonly path: string; readonly env: Record<string, string> } {
  const unpacked = unpack();
  // The package's own file names the place where it usually unpacks; without any font a page ends the browser.
  mkdirSync(directory, { recursive: true });
  const fonts = join(directory, "fonts.conf");
  const places = `<dir>${unpacked}/fonts</dir><cachedir>${unpacked}/font-cache</cachedir>`;
  writeFileSync(fonts, `<fontconfig>${places}</fontconfig>`);
  const libraries = join(unpacked, "al2023/lib");
  return {
    path: join(unpacked, "chromium"),
    env: { LD_LIBRARY_PATH: libraries, FONTCONFIG_FILE: fonts },
  };
}

/**
 * Unpacks the package once for all tests, in a process of its own: it reads where to from the environment, and brings its
 * libraries only where it is told that it runs on its usual host.
 */
function unpack(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGE, "package.json"), "utf8")) as { version: string };
  const kept = join(UNPACKED, version);
  if (existsSync(kept)) return kept;
  mkdirSync(UNPACKED, { recursive: true });
  const directory = mkdtempSync(join(UNPACKED, "unpacking-"));
  const program = 'import browser from "@sparticuz/chromium"; await browser.executablePath();';
  const done = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: import.meta.dir,
    env: { ...process.env, TMPDIR: directory, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
  });
  if (done.exitCode !== 0) throw new Error(`no browser: ${done.stderr.toString()}`);
  try {
    renameSync(directory, kept);
  } catch (error) {
    rmSync(directory, { recursive: true });
    // Another process may have been first.
    if (!existsSync(kept)) throw error;
  }
  return kept;
}
