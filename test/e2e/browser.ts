import { existsSync, writeFileSync } from "node:fs";
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

const PACKAGE = join(import.meta.dir, "../../node_modules/@sparticuz/chromium");

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
  const { path, env } = found === "packaged" ? unpack(directory) : { ...found, env: {} };
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

/**
 * Unpacks the packaged browser with the libraries and fonts that a bare machine lacks, in a process of its own: the
 * package reads where to from the environment, and brings its libraries only where it is told that it runs on its
 * usual host.
 */
function unpack(directory: string): { readonly path: string; readonly env: Record<string, string> } {
  const program = 'import browser from "@sparticuz/chromium"; console.log(await browser.executablePath());';
  const done = Bun.spawnSync([process.execPath, "-e", program], {
    cwd: import.meta.dir,
    env: { ...process.env, TMPDIR: directory, AWS_LAMBDA_JS_RUNTIME: "nodejs20.x" },
  });
  const path = done.stdout.toString().trim();
  if (done.exitCode !== 0 || path === "") throw new Error(`no browser: ${done.stderr.toString()}`);
  // The package's own file names the place where it usually unpacks; without any font a page ends the browser.
  const fonts = join(directory, "fonts.conf");
  const cache = `<cachedir>${directory}/font-cache</cachedir>`;
  writeFileSync(fonts, `<fontconfig><dir>${directory}/fonts</dir>${cache}</fontconfig>`);
  return { path, env: { LD_LIBRARY_PATH: join(directory, "al2023/lib"), FONTCONFIG_FILE: fonts } };
}
