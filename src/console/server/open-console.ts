/** Opens the console where the configuration says, and makes the link for its first user (docs/console.md#reaching-it). */
import type { AnyElysia } from "elysia";
import type { AdminContext } from "../../admin/operations/context.ts";
import type { Config } from "../../config/config.ts";
import { toLocalOrigin } from "../../config/listen.ts";
import type { Settings } from "../../config/live-config.ts";
import type { Serve } from "../../core/http-server.ts";
import { errorFields } from "../../core/log.ts";
import type { ShutdownPlan } from "../../core/shutdown-plan.ts";
import { createLink } from "../../domain/accounts/user-links.ts";
import { hasUsers } from "../../domain/accounts/users.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderIn } from "../../i18n/text.ts";
import { brandRoutes } from "../../ingress/http/brand.ts";
import { formatAddress, listen } from "../../ingress/http/listener.ts";
import type { KnownCaller } from "../../ingress/http/request-context.ts";
import { answerHead, createRequestHandler, createRoutes } from "../../ingress/http/router.ts";
import { type ConsoleDeps, createConsoleRoutes } from "./console.ts";
import { frontEnd } from "./front-end.ts";
import { createLiveFigures } from "./live/live-figures.ts";
import { LiveStreams, liveRoutes } from "./live/live-stream.ts";
import { mountConsoleRoutes } from "./routes/http-adapter.ts";

type OpenConsoleDeps = Omit<ConsoleDeps, "contextOf" | "settings" | "ui"> & {
  readonly settings: Settings<Config>;
  readonly plan: ShutdownPlan;
  readonly machine: { readonly serve: Serve };
};

export type OpenConsole = {
  /** Route sets for the router of the API's address; empty where the console has another address, or none. */
  readonly sets: readonly AnyElysia[];
  /**
   * Makes the link that creates the first user, the owner; null where there are users, or where it could not be stored, which is
   * logged. Each voids the one before.
   */
  readonly firstLink: () => Promise<string | null>;
};

/**
 * Opens the console where the configuration says: at `apiUrl`, at an address of its own, or nowhere.
 * @throws the runtime's error when its own address cannot be listened on.
 */
export function openConsole(
  deps: OpenConsoleDeps,
  apiUrl: string,
  contextOf: (actor: string) => AdminContext,
): OpenConsole {
  const { settings, plan, machine, clock, chance, store, log } = deps;
  const { enabled, listen: at } = settings.now().console;
  if (!enabled) return { sets: [], firstLink: async () => null };
  const streams = new LiveStreams(clock, log);
  plan.first("live figures", () => streams.stop());
  const figures = createLiveFigures(store.read, clock);
  const fill = mountConsoleRoutes(clock);
  const sets = createConsoleRoutes({
    ...deps,
    addRoutes: (routes, permitted, limits) => {
      liveRoutes(routes, permitted, { figures, streams });
      fill(routes, permitted, limits);
    },
    ui: frontEnd,
    contextOf: (actor, from) => ({ ...contextOf(actor), from }),
  });
  const firstLink = async (base: string): Promise<string | null> => {
    if (hasUsers(store.read)) return null;
    let secret: string;
    try {
      secret = await store.write((tx) => createLink(tx, chance, null, clock.nowMs()).secret);
    } catch (error) {
      // Nobody can sign in yet; everything else goes on.
      log.warn("no first link could be made: user create makes one", { ...errorFields(error) });
      return null;
    }
    // The part after `#` is never sent: it stays out of logs.
    return `${settings.now().server.public_url || toLocalOrigin(base)}/console/link#${secret}`;
  };
  if (at === "") return { sets, firstLink: () => firstLink(apiUrl) };
  const { certificate } = formatAddress(settings);
  const brand = createRoutes<KnownCaller>("", { ...deps, tally: store.tally }, null);
  brandRoutes(brand, settings);
  answerHead(brand);
  const closed = createRequestHandler([...sets, brand]);
  const own = listen({ ...deps, at, certificate, serve: machine.serve, closed });
  plan.first("console", own.refuse);
  plan.together("console", own.stop);
  plan.first(
    "console's certificate",
    settings.onChange(() => own.renew(formatAddress(settings).certificate)),
  );
  return { sets: [], firstLink: () => firstLink(own.url) };
}

/**
 * Lines that a start prints while nobody can sign in, in both languages, for the reader's is unknown. The link and the command stand
 * alone in their lines, the command last.
 */
export function renderFirstLinkLines(link: string, later: string): readonly string[] {
  return [...inBoth(phrase("cli.first_link")), link, ...inBoth(phrase("cli.first_link.later")), later];
}

function inBoth(words: Phrase): readonly string[] {
  return [renderIn("fr", words), renderIn("en", words)];
}
