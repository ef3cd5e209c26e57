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
];
