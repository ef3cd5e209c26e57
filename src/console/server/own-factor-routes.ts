/** What somebody does about their own second factor and recovery codes, once the present one was given again. */

import { newRecoveryCodes, proposeFactor, takeNewFactor } from "../../domain/accounts/new-factor.ts";
import { isConfirmed } from "../../domain/accounts/sessions.ts";
import { callerOf } from "../../ingress/http/routes.ts";
import { keeping } from "./cookie.ts";
import {
  answered,
  type Call,
  type ConsoleRoutes,
  formRoute,
  notTaken,
  type SignInRouteDeps,
} from "./sign-in-routes.ts";

export function ownFactorRoutes(routes: ConsoleRoutes, deps: SignInRouteDeps): void {
  const { clock } = deps;
  formRoute(routes, deps, "POST /me/factor", null, (call) => {
    if (!isConfirmed(callerOf(call.exchange).session, clock.nowMs()))
      return notTaken(call, "SECOND_FACTOR_NEEDED");
    return answered<"POST /me/factor">(proposeFactor(deps, callerOf(call.exchange).user));
  });
  formRoute(routes, deps, "POST /me/factor/use", ["proposal", "code"], (call) => newFactor(deps, call));
  formRoute(routes, deps, "POST /me/recovery-codes", null, async (call) => {
    const { session, user } = callerOf(call.exchange);
    if (!isConfirmed(session, clock.nowMs())) return notTaken(call, "SECOND_FACTOR_NEEDED");
    const recoveryCodes = await newRecoveryCodes(deps, call.asker, user);
    return answered<"POST /me/recovery-codes">({ recoveryCodes });
  });
}

async function newFactor(deps: SignInRouteDeps, call: Call): Promise<Response> {
  const { session, user } = callerOf(call.exchange);
  if (!isConfirmed(session, deps.clock.nowMs())) return notTaken(call, "SECOND_FACTOR_NEEDED");
  const limit = deps.signIn.tryLink(call.asker);
  if (!limit.ok) return notTaken(call, limit.refusal.code, limit.retrySeconds);
  const { proposal = "", code = "" } = call.form;
  const taken = await takeNewFactor(deps, call.asker, user, { proposal, code });
  if (!taken.ok) return notTaken(call, taken.refusal.code);
  return answered<"POST /me/factor/use">({}, { "set-cookie": keeping(taken.value, call.way.isTls) });
}
