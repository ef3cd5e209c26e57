/** Replaces the second factor or the recovery codes of somebody who is signed in and has just shown the present factor. */

import { accepted, type Outcome, refuse } from "../../core/refusals.ts";
import { recordAudit } from "./audit.ts";
import {
  generateFactor,
  generateRecoveryCodes,
  openProposal,
  type ProposedFactor,
  stepOfCode,
} from "./second-factor.ts";
import { beginSession, endSessions } from "./sessions.ts";
import type { Asker, SignInDeps } from "./sign-in.ts";
import { type ConsoleUser, canSignIn, setSecondFactor, userById } from "./users.ts";

/** A second factor that is proposed can be taken for this long. */
const PROPOSED_MS = 10 * 60_000;

/** Only what was proposed to this user opens under it. */
const labelOf = ({ login }: ConsoleUser): string => `${login} proposal`;

/** Draws another second factor for a user. Changes nothing. */
export function proposeFactor(deps: SignInDeps, user: ConsoleUser): ProposedFactor {
  const untilMs = deps.clock.nowMs() + PROPOSED_MS;
  return generateFactor(deps, { label: labelOf(user), name: user.login, untilMs });
}

type NewFactorCode = "TOO_LATE" | "CODE_REFUSED";

const TOO_LATE = refuse("TOO_LATE");
const REFUSED = refuse("CODE_REFUSED");

/** Puts a proposed second factor in place of the present one. Every session ends, and another begins; its secret. */
export async function confirmFactor(
  { store, clock, chance, factors }: SignInDeps,
  asker: Asker,
  user: ConsoleUser,
  { proposal, code }: { readonly proposal: string; readonly code: string },
): Promise<Outcome<string, NewFactorCode>> {
  const secret = openProposal(factors, proposal, labelOf(user), clock.nowMs());
  if (secret === null) return TOO_LATE;
  const step = stepOfCode(secret, code, clock.nowMs());
  if (step === null) return REFUSED;
  // Before the transaction, which the writer may run twice: sealing draws.
  const sealed = factors.close(secret, user.login);
  return store.write((tx): Outcome<string, NewFactorCode> => {
    const now = userById(tx, user.id);
    // What this replaces may have been taken away, or replaced, meanwhile.
    if (!canSignIn(tx, now) || now.totpSecret !== user.totpSecret) return REFUSED;
    const nowMs = clock.nowMs();
    setSecondFactor(tx, user.id, sealed, step);
    endSessions(tx, user.id);
    note(tx, nowMs, asker, user, "user second factor");
    return accepted(beginSession(tx, chance, user.id, "FULL", asker, nowMs));
  });
}

/** Draws other recovery codes for a user; those before are worth nothing from then on. */
export function newRecoveryCodes(
  { store, clock, chance }: SignInDeps,
  asker: Asker,
  user: ConsoleUser,
): Promise<readonly string[]> {
  return store.write((tx) => {
    note(tx, clock.nowMs(), asker, user, "user recovery codes");
    return generateRecoveryCodes(tx, chance, user.id);
  });
}

function note(
  tx: Parameters<typeof recordAudit>[0],
  atMs: number,
  { address, requestId }: Asker,
  { login }: ConsoleUser,
  action: string,
): void {
  const detail = { address, request_id: requestId };
  recordAudit(tx, { atMs, actor: login, action, subject: login, detail });
}
