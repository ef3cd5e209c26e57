import { at, finder, type Rule } from "../finding.ts";
import type { History } from "../history.ts";
import { sameOperator } from "../in-force.ts";
import { type Group, joinsOf } from "../joins.ts";
import { commandsNamed } from "../once.ts";
import { mayBeRegistered } from "../registrations.ts";
import { hasRoutes, nameOf, routesOf } from "../routes.ts";
import type { Submit } from "../wire-submits.ts";

const found = finder(
  "sender-routes",
  "A sender that is registered for one route of an operator leaves by that route alone.",
);

/** What was claimed before a registration was taken back may be on its way for so long, ms. */
const CLAIMED_MS = 60_000;

/** No text leaves by a route that its sender is not registered for, neither for that route nor for all of its operator. */
export const senderRoutes: Rule = (history) => {
  if (!hasRoutes(history) || !isByRoute(history)) return [];
  return joinsOf(history).groups.flatMap((group) =>
    group.carried.flatMap(({ submit }) => {
      const route = strangeRoute(history, group, submit);
      if (route === null) return [];
      const what = `a text of ${submit.text.source} to ${submit.text.destination} left by ${route} at ${at(submit.writtenAtMs)}, and the sender was registered neither for that route nor for all`;
      return [found(submit.writtenAtMs, what, group.messages[0]?.message.batchId ?? "")];
    }),
  );
};

function isByRoute(history: History): boolean {
  return commandsNamed(history, "sender register").some(({ args }) => args.operator?.includes("/"));
}

/** The route that a submit left by, where no sender that it may be of was registered for that; else null. */
function strangeRoute(history: History, { messages }: Group, submit: Submit): string | null {
  const { writtenAtMs } = submit;
  const taken = routesOf(history, submit, { fromMs: writtenAtMs, toMs: writtenAtMs });
  const [first] = taken;
  if (!first || taken.some(({ route }) => route === "")) return null;
  // A rename takes registrations along.
  if (taken.some(({ operator }) => sameOperator(history, operator).size > 1)) return null;
  const period = { fromMs: writtenAtMs - CLAIMED_MS, toMs: writtenAtMs };
  const mayLeave = messages.some(({ message: { account, sender } }) =>
    taken.some((route) =>
      [route.operator, nameOf(route)].some((code) =>
        mayBeRegistered(history, account, { sender, code }, period).includes(true),
      ),
    ),
  );
  return mayLeave ? null : taken.map(nameOf).join(" or ");
}
