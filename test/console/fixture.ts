import { rmSync, writeFileSync } from "node:fs";
import { userCreate } from "../../src/admin/operations/users.ts";
import { settingsHolder } from "../../src/config/live-config.ts";
import { loadConfig } from "../../src/config/load-config.ts";
import { createConsoleRoutes } from "../../src/console/server/console.ts";
import { renderSessionCookie } from "../../src/console/server/guard.ts";
import { readiness } from "../../src/core/health.ts";
import { systemServe } from "../../src/core/http-server.ts";
import type { Invocation } from "../../src/core/invocation.ts";
import { createDeadline } from "../../src/core/shutdown-plan.ts";
import { type StartThread, startThread } from "../../src/core/thread.ts";
import type { Role } from "../../src/domain/accounts/roles.ts";
import { deriveCode } from "../../src/domain/accounts/second-factor.ts";
import { beginSession } from "../../src/domain/accounts/sessions.ts";
import { setPassword, userByLogin } from "../../src/domain/accounts/users.ts";
import { listen } from "../../src/ingress/http/listener.ts";
import { createRequestHandler, createStartupHandler } from "../../src/ingress/http/router.ts";
import { createConfigReloader } from "../../src/ops/config-reloader.ts";
import { type AdminFixture, adminFixture, granted } from "../admin/operations/fixture.ts";
import { configOf, document } from "../config/sample.ts";
import { HOOK_CERTIFICATE, HOOK_KEY, TEST_AUTHORITY } from "../kit/certificates.ts";
import { testLog } from "../kit/test-log.ts";

export const PASSWORD = "un mot de passe qui suffit";

/** Of the password, with as little work as there can be. */
const LIGHT_HASH = Bun.password.hashSync(PASSWORD, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });

export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly json: Record<string, unknown>;
};

/** A browser, as far as it keeps a cookie and says where its requests come from. */
export type Browser = {
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>;
  /** What it keeps: `name=value`, or "". */
  cookie: string;
};

export type Person = {
  readonly login: string;
  readonly secret: string;
  readonly recoveryCodes: readonly string[];
};

/** The console over real HTTP, with a clock that the test moves. */
export async function consoleFixture(
  changes: Parameters<typeof document>[0] = {},
  options: {
    readonly tls?: boolean;
    readonly fill?: Parameters<typeof createConsoleRoutes>[0]["addRoutes"];
    readonly started?: Invocation;
    readonly startThread?: StartThread;
    /** A file by hand that the server reads, with its data directory in place of DIRECTORY. */
    readonly byHand?: string;
  } = {},
) {
  const admin: AdminFixture = adminFixture();
  const { clock } = admin;
  const { server } = admin.context;
  const real = options.byHand === undefined ? null : realConfiguration(admin, options.byHand);
  const configuration = server && {
    ...(real?.configuration ?? server.configuration),
    ...(options.started && { started: options.started }),
  };
  const context = {
    ...admin.context,
    machine: { ...admin.context.machine, startThread: options.startThread ?? startThread },
    server: server && configuration && { ...server, configuration },
  };
  const log = testLog();
  const settings = settingsHolder(
    configOf(
      document({
        server: { listen: "127.0.0.1:0" },
        storage: { directory: context.store.directory },
        ...changes,
      }),
    ),
  );
  const html = () => "<!doctype html><title>the page</title>";
  const asset = { type: "text/javascript", content: "1;", gzip: Bun.gzipSync("1;") };
  const listener = listen({
    at: settings.now().server.listen,
    certificate: options.tls ? { cert: HOOK_CERTIFICATE, key: HOOK_KEY } : null,
    clock,
    log,
    serve: systemServe,
    closed: createStartupHandler(clock, context.newId, readiness()),
  });
  /** The console as a start makes it: it knows what is on the disk. */
  const open = () =>
    createConsoleRoutes({
      settings,
      clock,
      log,
      chance: context.chance,
      newId: context.newId,
      store: context.store,
      contextOf: (actor, from) => ({ ...context, actor, from }),
      ui: async () => ({ html, assets: new Map([["main-1a2b3c.js", asset]]) }),
      ...(options.fill ? { addRoutes: options.fill } : {}),
    });
  listener.open(createRequestHandler(open()));
  const origin = listener.url;

  const browser = (): Browser => {
    const ask = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
      const answer = await fetch(`${origin}${path}`, {
        method,
        headers: {
          ...(self.cookie === "" ? {} : { cookie: self.cookie }),
          ...(method === "GET" ? {} : { origin, "content-type": "application/json" }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        ...(options.tls ? { tls: { ca: TEST_AUTHORITY } } : {}),
      });
      const set = answer.headers.get("set-cookie");
      if (set !== null) self.cookie = set.includes("Max-Age=0") ? "" : (set.split(";")[0] ?? "");
      const text = await answer.text();
      const isJson = answer.headers.get("content-type")?.includes("json") === true;
      return { status: answer.status, headers: answer.headers, json: isJson ? JSON.parse(text) : { text } };
    };
    const self: Browser = {
      cookie: "",
      get: (path, headers = {}) => ask("GET", `/console${path}`, undefined, headers),
      post: (path, body = undefined, headers = {}) => ask("POST", `/console/api${path}`, body, headers),
    };
    return self;
  };

  /** A user who used their link; the code of this moment is taken with that. Their password is little work to compare with. */
  const person = async (login: string, role: Role, account: string | null = null): Promise<Person> => {
    const { link } = granted(await userCreate(context, { login, role, account, language: null }));
    const used = await use(link.split("#")[1] ?? "", login);
    await context.store.write((tx) => setPassword(tx, userByLogin(tx, login)?.id ?? 0, LIGHT_HASH));
    return used;
  };
  const use = async (secret: string, login: string, typed?: string): Promise<Person> => {
    const visitor = browser();
    const looked = (await visitor.post("/link/look", { secret })).json as {
      totp: { secretBase32: string };
      proposal: string;
    };
    const { secretBase32 } = looked.totp;
    const { proposal } = looked;
    const form = { secret, password: PASSWORD, code: deriveCode(secretBase32, clock.nowMs()), proposal };
    const used = await visitor.post("/link/use", typed === undefined ? form : { ...form, login: typed });
    if (used.status !== 200) throw new Error(JSON.stringify(used.json));
    return { login, secret: secretBase32, recoveryCodes: used.json.recoveryCodes as string[] };
  };
  /** Lets the step of the last code pass, and gives the next. */
  const nextCode = async ({ secret }: Person): Promise<string> => {
    clock.setBy(30_000);
    return deriveCode(secret, clock.nowMs());
  };
  const signedIn = async (who: Person): Promise<Browser> => {
    const visitor = browser();
    await visitor.post("/sign-in", { login: who.login, password: PASSWORD });
    const second = await visitor.post("/second-factor", { code: await nextCode(who) });
    if (second.status !== 200) throw new Error(JSON.stringify(second.json));
    return visitor;
  };
  /** A browser as signing in leaves it, for tests that are about what comes after it: passwords are a lot of work. */
  const entered = async (login: string, role: Role, account: string | null = null): Promise<Browser> => {
    granted(await userCreate(context, { login, role, account, language: null }));
    const token = await context.store.write((tx) => {
      const id = userByLogin(tx, login)?.id ?? 0;
      setPassword(tx, id, LIGHT_HASH);
      const from = { address: "127.0.0.1", agent: "" };
      return beginSession(tx, context.chance, id, "FULL", from, clock.nowMs());
    });
    const visitor = browser();
    visitor.cookie = renderSessionCookie(token, options.tls === true).split(";")[0] ?? "";
    return visitor;
  };
  return {
    admin,
    context,
    clock,
    log,
    origin,
    browser,
    person,
    use,
    nextCode,
    signedIn,
    entered,
    settings,
    reopen: async () => listener.open(createRequestHandler(open())),
    /** What is in force of the file by hand and of what the console keeps. */
    inForce: () => real?.inForce().config,
    audits: () =>
      context.store.read.all<{ actor: string; action: string; detail: string }>(
        "SELECT actor, action, detail FROM audit_entries ORDER BY id",
      ),
    close: async () => {
      real?.remove();
      await listener.stop(createDeadline(clock, 1000));
      await admin.close();
    },
  };
}

/** The configuration of a server that reads a file by hand, beside the data directory, and what the console keeps in there. */
function realConfiguration({ context }: AdminFixture, byHand: string) {
  const { directory } = context.store;
  const path = `${directory}.toml`;
  writeFileSync(path, byHand.replaceAll("DIRECTORY", directory));
  const holder = settingsHolder(context.config);
  const source = { readConfig: (proposal = {}) => loadConfig(path, {}, "a fault", proposal) };
  return {
    configuration: createConfigReloader(holder, testLog(), source),
    inForce: holder.whole,
    remove: () => rmSync(path, { force: true }),
  };
}

export type ConsoleFixture = Awaited<ReturnType<typeof consoleFixture>>;
