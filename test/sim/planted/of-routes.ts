/** Bugs that somebody could make in choosing the route of a message, in trying the next, and in what they cost. */
import type { Plant } from "./plant.ts";

const ROUTES = ["--messages", "200", "--faults", "route troubles,route changes"];

export const OF_ROUTES: readonly Plant[] = [
  {
    name: "another-route-completes",
    bug: "what one route accepted in part goes on by whichever takes it: parts of one text come from two senders' sides, and no handset joins them",
    edits: [
      {
        file: "src/channels/sms/smpp-worker.ts",
        find: "if (accepted.size === 0 || !this.deps.routes.areUsed()) return null;",
        replace: "if (accepted.size >= 0 || !this.deps.routes.areUsed()) return null;",
      },
    ],
    options: ROUTES,
  },
  {
    name: "rerouted-in-doubt",
    bug: "a refusal by one route is believed though another submit of the message is in doubt: the next route sends it a second time",
    edits: [
      {
        file: "src/channels/sms/attempt-result.ts",
        find: "      if (wasUnknown && hasUnknownOutcome(tx, message.id))\n        return inPlace(",
        replace:
          '      const early = end.kind === "refused" ? reroute(tx, toRoutedAttempt(attempt), end, rerouting, nowMs) : null;\n      if (early?.kind === "rerouted") return goByAnother(facts, early, nowMs);\n      if (wasUnknown && hasUnknownOutcome(tx, message.id))\n        return inPlace(',
      },
      {
        file: "src/channels/sms/route-marks.ts",
        find: '    if (acceptedParts(tx, messageId).size > 0 || hasUnknownOutcome(tx, messageId)) return null;\n    const routesTried = this.mark(tx, attempt.routesTried, route, "refused");',
        replace:
          '    if (acceptedParts(tx, messageId).size > 0) return null;\n    const routesTried = this.mark(tx, attempt.routesTried, route, "refused");',
      },
    ],
    options: ROUTES,
  },
  {
    name: "later-never-forgotten",
    bug: "a route that said later too often is left for ever, also while no other is able: its messages wait until they expire",
    edits: [
      {
        file: "src/domain/routing/routing.ts",
        find: "  return unmarked.some(isAble) ? unmarked : countIllness(left);",
        replace:
          "  return unmarked.length > 0 ? unmarked : left.map((route) => ({ ...route, isPaused: true }));",
      },
    ],
    options: ROUTES,
  },
  {
    name: "cost-once-a-message",
    bug: "a late acceptance of what another route has taken meanwhile costs nothing: the operator bills it, and the margin is too good",
    edits: [
      {
        file: "src/channels/sms/route-costs.ts",
        find: "  else bookCost(tx, facts, { ...of, ...cost, operator, segments: parts.length });",
        replace:
          "  else if (!own) bookCost(tx, facts, { ...of, ...cost, operator, segments: parts.length });",
      },
    ],
    options: ROUTES,
  },
  {
    name: "charged-by-each-route",
    bug: "what another route accepts as well, when it had been sent again, is charged once more, out of what the account may spend",
    edits: [
      {
        file: "src/domain/messages/apply-facts.ts",
        find: 'import { settle } from "../ledger/reservations.ts";',
        replace:
          'import { settle } from "../ledger/reservations.ts";\nimport { moveWallet, post } from "../ledger/wallet.ts";',
      },
      {
        file: "src/domain/messages/apply-facts.ts",
        find: "        noteAcceptedTwice(tx, fact.messageId, nowMs);",
        replace: `      {
        noteAcceptedTwice(tx, fact.messageId, nowMs);
        const cause = \`batch:\${batchId}:again:\${fact.messageId}:\${fact.part}:\${fact.remoteKey}\`;
        const charge = { accountId, batchId, cause, amount: state.price, note: null, atMs: nowMs };
        const isOfRoutes = state.price > 0 && rules.routeChanges.length > 0;
        if (isOfRoutes && post(tx, { ...charge, kind: "CHARGE", debit: "FUNDS", credit: "EARNED" }))
          moveWallet(tx, accountId, -state.price, 0, nowMs);
      }`,
      },
    ],
    options: ROUTES,
  },
  {
    name: "claimed-by-two-routes",
    bug: "a text is given to the next route with the first part that is refused, while its route still has the other parts: both send them",
    edits: [
      {
        file: "src/dispatch/attempt.ts",
        find: "  if (attempt.open > 0) return null;",
        replace: '  if (attempt.open > 0 && (!attempt.refused || attempt.route === "")) return null;',
      },
    ],
    options: ROUTES,
  },
  {
    name: "pause-of-a-route-ignored",
    bug: "a pause of one route holds nothing: what an administrator stopped there leaves all the same",
    edits: [
      {
        file: "src/dispatch/pauses.ts",
        find: '(route === "" ? undefined : pauses.find(',
        replace: '(route !== "" ? undefined : pauses.find(',
      },
    ],
    options: ROUTES,
  },
  {
    name: "sender-by-any-route",
    bug: "a sender that is registered for one route leaves by the others too, which refuse it or change its name",
    edits: [
      {
        file: "src/domain/routing/marks.ts",
        find: "  return senderRoutes === ALL_ROUTES || senderRoutes.includes(route);",
        replace:
          "  return senderRoutes === ALL_ROUTES || senderRoutes.length > 0 || senderRoutes.includes(route);",
      },
    ],
    options: ROUTES,
  },
  {
    name: "shared-pace-for-each",
    bug: "connections that share a pace have it each for itself: together they go as many times as fast as their operator allows",
    edits: [
      {
        file: "src/dispatch/shared-pace.ts",
        find: "    const known = this.byWord.get(word) ?? new SharedPace(throughput);",
        replace: "    const known = new SharedPace(throughput);",
      },
    ],
    options: ROUTES,
  },
];
