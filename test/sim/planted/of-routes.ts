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
