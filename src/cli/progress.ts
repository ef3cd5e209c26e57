/** Shows on a terminal that a command is still at work. */
import type { Clock } from "../core/clock.ts";
import { phrase } from "../i18n/phrase.ts";
import { renderIn } from "../i18n/text.ts";
import { deriveLocale, errorPaint, type Io } from "./terminal.ts";

/** What takes less than this says nothing meanwhile. */
const QUIET_MS = 1000;

/** To the beginning of the line, and clear it (ECMA-48). */
export const WIPE = "\r\u001b[K";

/**
 * Shows on a terminal that something is still being done, second by second, and wipes that away at its end. Nowhere else is anything
 * written.
 */
export async function withProgress<T>(io: Io, clock: Clock, work: Promise<T>): Promise<T> {
  if (io.errIsTerminal !== true || io.env.TERM === "dumb") return work;
  const beganMs = clock.steadyMs();
  const locale = deriveLocale(io);
  const { head } = errorPaint(io);
  let isShown = false;
  let cancel = (): void => {};
  const show = (): void => {
    isShown = true;
    io.err(
      `${WIPE}${head(renderIn(locale, phrase("cli.working", { seconds: Math.round((clock.steadyMs() - beganMs) / 1000) })))}`,
    );
    cancel = clock.after(QUIET_MS, show);
  };
  cancel = clock.after(QUIET_MS, show);
  try {
    return await work;
  } finally {
    cancel();
    if (isShown) io.err(WIPE);
  }
}
