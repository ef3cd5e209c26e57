/** What somebody who is signed in asks about themselves: who they are, their sessions, password and language. */

import type { Config } from "../../config/config.ts";
import type { Settings } from "../../config/in-force.ts";
import { isoUtc } from "../../core/clock.ts";
import type { Tx } from "../../db/write.ts";
import { accountById } from "../../domain/accounts/accounts.ts";
import { recordAudit } from "../../domain/accounts/audit.ts";
import { capabilitiesOf } from "../../domain/accounts/permissions.ts";
import { isUserLanguage } from "../../domain/accounts/role.ts";
import { beginSession, endSession, endSessions, sessionsOfUser } from "../../domain/accounts/sessions.ts";
import { isPasswordFit } from "../../domain/accounts/use-link.ts";
import { setLanguage, setPassword, userById } from "../../domain/accounts/users.ts";
import { callerOf } from "../../ingress/http/routes.ts";
import { keeping } from "./cookie.ts";
import { pageReader } from "./page-reader.ts";
import {
  answered,
  type Call,
  type ConsoleRoutes,
  factorIn,
  formRoute,
  notTaken,
  type SignInRouteDeps,
} from "./sign-in-routes.ts";

type MeDeps = SignInRouteDeps & { readonly settings: Settings<Pick<Config, "defaults">> };

export function meRoutes(routes: ConsoleRoutes, deps: MeDeps): void {
  const { clock, store, signIn, settings } = deps;
  formRoute(routes, deps, "GET /me", null, ({ exchange }) => {
    const { principal, user } = callerOf(exchange);
    const { login, role, accountId, language } = principal;
    const account = accountId === null ? null : accountById(store.read, accountId);
    return answered<"GET /me">({
      login,
      role,
      account: account && { id: account.ulid, name: account.name },
      language,
      timezone: pageReader(callerOf(exchange), store.read, settings.now()).timeZone,
      renews_factor: user.hasLinkFactor === 1,
      capabilities: capabilitiesOf(role),
    });
  });
  formRoute(routes, deps, "POST /confirm", ["code", "recoveryCode"], async (call) => {
    const factor = factorIn(call.form);
    if (!factor) return notTaken(call, "VALIDATION_FAILED");
    const outcome = await signIn.confirm(call.asker, callerOf(call.exchange).session, factor);
    if (outcome.ok) return answered<"POST /confirm">({});
    // Not 401: the session goes on.
    const code = outcome.refusal.code === "SIGN_IN_REFUSED" ? "CODE_REFUSED" : outcome.refusal.code;
    return notTaken(call, code, outcome.retrySeconds);
  });
  formRoute(routes, deps, "POST /me/language", ["language"], async (call) => {
    const { language = "" } = call.form;
    if (!isUserLanguage(language)) return notTaken(call, "VALIDATION_FAILED");
    const { userId } = callerOf(call.exchange).principal;
    await store.write((tx) => {
      setLanguage(tx, userId, language);
      note(tx, clock.nowMs(), call, "user language", { language });
    });
    return answered<"POST /me/language">({});
  });
  formRoute(routes, deps, "POST /me/password", ["password", "newPassword"], (call) =>
    newPassword(deps, call),
  );
  formRoute(routes, deps, "GET /me/sessions", null, ({ exchange }) => {
    const { principal, session } = callerOf(exchange);
    const sessions = sessionsOfUser(store.read, principal.userId, clock.nowMs());
    return answered<"GET /me/sessions">({
      sessions: sessions.map(({ id, address, agent, createdAtMs, seenAtMs }) => ({
        id: String(id),
        address,
        agent,
        created_at: isoUtc(createdAtMs),
        seen_at: isoUtc(seenAtMs),
        is_current: id === session.id,
      })),
    });
  });
  formRoute(routes, deps, "POST /me/sessions/end", ["id"], async (call) => {
    const { id = "" } = call.form;
    const { userId } = callerOf(call.exchange).principal;
    const isEnded = await store.write((tx) => {
      const ended = /^\d{1,15}$/.test(id) && endSession(tx, userId, Number(id));
      if (ended) note(tx, clock.nowMs(), call, "session end", { session: id });
      return ended;
    });
    return isEnded ? answered<"POST /me/sessions/end">({}) : notTaken(call, "NOT_FOUND");
  });
}

/** Ends every session, and begins another for whoever changed the password. */
async function newPassword({ store, clock, chance, signIn }: MeDeps, call: Call): Promise<Response> {
  const { password: before = "", newPassword: password = "" } = call.form;
  const { user } = callerOf(call.exchange);
  if (!isPasswordFit(password, user.login)) return notTaken(call, "PASSWORD_REFUSED");
  const known = await signIn.isPasswordOf(call.asker, user, before);
  if (!known.ok) return notTaken(call, known.refusal.code, known.retrySeconds);
  if (!known.value) return notTaken(call, "CODE_REFUSED");
  const hash = await signIn.hash(call.asker, password);
  if (!hash.ok) return notTaken(call, hash.refusal.code, hash.retrySeconds);
  const token = await store.write((tx) => {
    const nowMs = clock.nowMs();
    // What was verified may have been changed meanwhile.
    if (userById(tx, user.id)?.passwordHash !== user.passwordHash) return null;
    setPassword(tx, user.id, hash.value);
    endSessions(tx, user.id);
    note(tx, nowMs, call, "user password", {});
    return beginSession(tx, chance, user.id, "FULL", call.asker, nowMs);
  });
  if (token === null) return notTaken(call, "CODE_REFUSED");
  return answered<"POST /me/password">({}, { "set-cookie": keeping(token, call.way.isTls) });
}

function note(
  tx: Tx,
  atMs: number,
  { exchange, asker }: Call,
  action: string,
  detail: Readonly<Record<string, string>>,
): void {
  const { login } = callerOf(exchange).principal;
  const from = { address: asker.address, request_id: asker.requestId };
  recordAudit(tx, { atMs, actor: login, action, subject: login, detail: { ...detail, ...from } });
}
