/**
 * The link of `bendre demo` that signs in to the console without password and second factor, as an owner. It leads to a listener
 * of its own on loopback, beside the appliance, which starts a session and hands its cookie over: cookies know no ports (RFC 6265,
 * section 8.5). The appliance itself has no such way in.
 */
import type { AdminContext } from "../admin/operations/context.ts";
import { userCreate } from "../admin/operations/users.ts";
import { renderSessionCookie } from "../console/server/guard.ts";
import { systemServe } from "../core/http-server.ts";
import { beginSession } from "../domain/accounts/sessions.ts";
import { userByLogin } from "../domain/accounts/users.ts";
import { granted } from "./accounts.ts";
import type { DemoLanguage } from "./past-clients.ts";

const LOGIN = "demo@bendre.example";
const SECRET_OCTETS = 16;
const MAX_BODY_OCTETS = 1024;

type ConsoleLink = {
  /** Signs in whoever opens it, as often as they do, until the demonstration ends. */
  readonly url: string;
  readonly stop: () => Promise<void>;
};

/** Makes the owner and listens for whoever opens the link. `consoleUrl` is where they are sent to. */
export async function startConsoleLink(
  context: AdminContext,
  language: DemoLanguage,
  consoleUrl: string,
): Promise<ConsoleLink> {
  const { store, chance, clock } = context;
  granted(await userCreate(context, { login: LOGIN, role: "OWNER", account: null, language }));
  const userId = userByLogin(store.read, LOGIN)?.id ?? 0;
  const path = `/${Buffer.from(chance.bytes(SECRET_OCTETS)).toString("base64url")}`;
  const server = systemServe({
    at: { hostname: "127.0.0.1", port: 0 },
    maxRequestBodySize: MAX_BODY_OCTETS,
    fetch: async (request) => {
      if (request.method !== "GET" || new URL(request.url).pathname !== path)
        return new Response(null, { status: 404 });
      const visitor = { address: "127.0.0.1", agent: request.headers.get("user-agent") ?? "" };
      const token = await store.write((tx) =>
        beginSession(tx, chance, userId, "FULL", visitor, clock.nowMs()),
      );
      const headers = {
        location: consoleUrl,
        "set-cookie": renderSessionCookie(token, false),
        "cache-control": "no-store",
      };
      return new Response(null, { status: 303, headers });
    },
  });
  return {
    url: new URL(path, server.url).href,
    stop: () => server.stop(),
  };
}
