/**
 * The link of `bendre demo` that signs in to the console without password and second factor, as an owner. It is answered at the
 * address of the appliance, in front of it, and to this machine alone. The appliance itself has no such way in.
 */
import type { AdminContext } from "../admin/operations/context.ts";
import { userCreate } from "../admin/operations/users.ts";
import { isLoopbackHost } from "../config/listen.ts";
import { renderSessionCookie } from "../console/server/guard.ts";
import type { Chance } from "../core/chance.ts";
import type { Serve } from "../core/http-server.ts";
import type { Log } from "../core/log.ts";
import { startLoop } from "../core/loop.ts";
import type { Tx } from "../db/writer.ts";
import { beginSession, confirmSession, type Session, sessionsOfUser } from "../domain/accounts/sessions.ts";
import { userByLogin } from "../domain/accounts/users.ts";
import { granted } from "./accounts.ts";
import type { DemoLanguage } from "./past-clients.ts";

const LOGIN = "demo@bendre.example";
const SECRET_OCTETS = 16;
/** The owner has no second factor to give again: each of their sessions counts as confirmed anew this often. */
const CONFIRM_EVERY_MS = 60_000;
const LOOK_EVERY_MS = 1000;

type ConsoleLink = {
  /** Serves as the platform does, and answers the link once it is open. */
  readonly serve: Serve;
  /** Makes the owner. From now on the link signs in whoever opens it, as often as they do. */
  readonly open: (context: AdminContext, language: DemoLanguage, baseUrl: string) => Promise<OpenLink>;
};

type OpenLink = {
  readonly url: string;
  readonly stop: () => Promise<void>;
};

type LinkEdges = {
  readonly chance: Chance;
  readonly log: Log;
  readonly machine: { readonly serve: Serve };
};

/** Draws a link, which leads nowhere yet. */
export function createConsoleLink({ chance, log, machine }: LinkEdges): ConsoleLink {
  const path = `/${Buffer.from(chance.bytes(SECRET_OCTETS)).toString("base64url")}`;
  let answer: ((request: Request) => Promise<Response>) | null = null;
  return {
    serve: (options) =>
      machine.serve({
        ...options,
        fetch: (request, server) => {
          if (answer === null || "unix" in options.at || new URL(request.url).pathname !== path)
            return options.fetch(request, server);
          return answer(request);
        },
      }),
    open: async (context, language, baseUrl) => {
      const { store, clock } = context;
      granted(await userCreate(context, { login: LOGIN, role: "OWNER", account: null, language }));
      const userId = userByLogin(store.read, LOGIN)?.id ?? 0;
      const confirming = startLoop({
        name: "demo owner",
        clock,
        log,
        everyMs: LOOK_EVERY_MS,
        runOnce: async () => {
          const nowMs = clock.nowMs();
          if (sessionsOfUser(store.read, userId, nowMs).some((session) => isConfirmDue(session, nowMs)))
            await store.write((tx) => confirmSessions(tx, userId, nowMs));
          return false;
        },
      });
      answer = (request) => signIn(context, userId, request);
      return {
        url: new URL(path, baseUrl).href,
        stop: () => {
          answer = null;
          return confirming.stop();
        },
      };
    },
  };
}

async function signIn({ store, chance, clock }: AdminContext, userId: number, request: Request) {
  const { method, headers: asked } = request;
  if (method !== "GET" && method !== "HEAD") return new Response(null, { status: 405, headers: ALLOW });
  if (!isAskedHere(asked.get("host") ?? "")) return new Response(null, { status: 421 });
  // Relative: the cookie is of the host that the link was opened by, which a tunnel may name otherwise.
  const headers = new Headers({ location: "/console", "cache-control": "no-store" });
  if (method === "GET") {
    const visitor = { address: "127.0.0.1", agent: asked.get("user-agent") ?? "" };
    const nowMs = clock.nowMs();
    const token = await store.write((tx) => {
      const secret = beginSession(tx, chance, userId, "FULL", visitor, nowMs);
      confirmSessions(tx, userId, nowMs);
      return secret;
    });
    headers.set("set-cookie", renderSessionCookie(token, false));
  }
  return new Response(null, { status: 303, headers });
}

const ALLOW = { allow: "GET, HEAD" };

function isConfirmDue({ confirmedAtMs }: Session, nowMs: number): boolean {
  return confirmedAtMs === null || Math.abs(nowMs - confirmedAtMs) >= CONFIRM_EVERY_MS;
}

function confirmSessions(tx: Tx, userId: number, nowMs: number): void {
  for (const { id } of sessionsOfUser(tx, userId, nowMs)) confirmSession(tx, id, nowMs);
}

/** A foreign page whose name was made to resolve to this machine asks by that name (DNS rebinding). */
function isAskedHere(host: string): boolean {
  const address = `http://${host}`;
  return URL.canParse(address) && isLoopbackHost(new URL(address).hostname);
}
