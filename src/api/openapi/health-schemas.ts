/** What is told of the appliance's health: bodies as schemas.ts has the others. */
import { Type as t } from "@sinclair/typebox";
import { oneOf } from "../../base/shape.ts";
import { instant } from "./schema-kinds.ts";

export const ApplianceHealth = t.Object({
  status: oneOf(["ok", "degraded", "down"], {
    description: "The worst of the checks; `down` when nothing can be accepted.",
  }),
  checks: t.Optional(
    t.Array(
      t.Object({
        name: t.String({ description: "What was looked at.", examples: ["operators"] }),
        status: oneOf(["ok", "degraded", "down"], { description: "How it was found." }),
        since: instant("Since when it has this status."),
        detail: t.String({ description: "What was found.", examples: ["orange: no link"] }),
        action: t.Union([t.String(), t.Null()], {
          description: "What to do; null where nothing is.",
          examples: [null],
        }),
      }),
      { description: "What was looked at; only told to requests made on the appliance's own machine." },
    ),
  ),
});

export const Health = t.Object({
  status: oneOf(["live", "ready", "not ready"], { description: "What was asked, and whether it is so." }),
  reasons: t.Optional(
    t.Array(t.String(), {
      description: 'Why it is not ready, such as "starting" or "stopping".',
    }),
  ),
});
