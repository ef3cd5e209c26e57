/** Operators and WhatsApp numbers that are paused as a whole: nothing leaves by them until they are resumed. */

import type { AdminContext } from "../../admin/operations/context.ts";
import { type Config, operatorNames, toWhatsAppOperator } from "../../config/config.ts";
import { isoUtc } from "../../core/clock.ts";
import { listSenders } from "../../domain/accounts/senders.ts";

/** Name of a WhatsApp number for clients, who do not know its code. */
const NUMBER_NAME = "WhatsApp";

/** Names by which clients know operators and numbers. */
export function readPublicNames(
  config: Pick<Config, "operators" | "whatsapp">,
): Readonly<Record<string, string>> {
  const numbers = Object.keys(config.whatsapp.numbers).map((code) => [toWhatsAppOperator(code), NUMBER_NAME]);
  return { ...operatorNames(config), ...Object.fromEntries(numbers) };
}

/** The connections of an operator; none without a server, and of a WhatsApp number. */
export function listConnections(server: AdminContext["server"], operator: string) {
  return server?.operatorStatus().find((one) => one.operator === operator)?.connections ?? [];
}

type OperatorPause = { readonly reason: string; readonly by: string | null; readonly since: string };

/** The pause of a whole operator. */
export function findOperatorPause(
  { server }: Pick<AdminContext, "server">,
  operator: string,
): OperatorPause | null {
  const links = listConnections(server, operator);
  // That of a route has the route's code: it is none of the whole operator.
  const pause = links.find(
    ({ paused }) => paused?.operator === operator && paused.connection === null,
  )?.paused;
  if (pause) return { reason: pause.reason, by: pause.actor, since: isoUtc(pause.atMs) };
  const number = server?.numberStatus().find((one) => one.operator === operator)?.paused;
  return number ? { reason: number.reason, by: null, since: isoUtc(number.atMs) } : null;
}

/**
 * A pause as account users see it: who paused it and why is for staff only. `senders`: of a WhatsApp number, the senders of
 * theirs that use it; null for an SMS operator.
 */
type PublicPause = {
  readonly operator: string;
  readonly name: string;
  readonly since: string;
  readonly senders: readonly string[] | null;
};

/** Pauses that an account's texts would wait for now: of SMS operators, and of WhatsApp numbers that a sender of it uses. */
export function listPublicPauses(
  context: Pick<AdminContext, "server" | "config" | "store">,
  accountId: number,
): readonly PublicPause[] {
  const told = (operator: string, name: string, senders: readonly string[] | null): PublicPause[] => {
    const pause = findOperatorPause(context, operator);
    return pause === null ? [] : [{ operator, name, senders, since: pause.since }];
  };
  const own = listSenders(context.store.read, accountId).filter(({ status }) => status === "APPROVED");
  const sendersBy = (operator: string) =>
    own.filter(({ operators }) => operators.includes(operator)).map(({ name }) => name);
  return [
    ...Object.entries(operatorNames(context.config)).flatMap(([code, name]) => told(code, name, null)),
    ...Object.keys(context.config.whatsapp.numbers)
      .map(toWhatsAppOperator)
      .map((operator) => ({ operator, senders: sendersBy(operator) }))
      .filter(({ senders }) => senders.length > 0)
      .flatMap(({ operator, senders }) => told(operator, NUMBER_NAME, senders)),
  ];
}
