/** Schemas of the appliance's health, in the style of schemas.ts. */
import { Type as t } from "@sinclair/typebox";
import { describe, oneOf } from "../../../core/request-shape.ts";
import { instant } from "./schema-kinds.ts";

export const ApplianceHealth = t.Object({
  status: oneOf(["ok", "degraded", "down"], {
    description: describe("reference.ApplianceHealth.status"),
  }),
  checks: t.Optional(
    t.Array(
      t.Object({
        name: t.String({
          description: describe("reference.ApplianceHealth.checks.name"),
          examples: ["operators"],
        }),
        status: oneOf(["ok", "degraded", "down"], {
          description: describe("reference.ApplianceHealth.checks.status"),
        }),
        since: instant("reference.ApplianceHealth.checks.since"),
        detail: t.String({
          description: describe("reference.ApplianceHealth.checks.detail"),
          examples: ["orange: no link"],
        }),
        action: t.Union([t.String(), t.Null()], {
          description: describe("reference.ApplianceHealth.checks.action"),
          examples: [null],
        }),
      }),
      { description: describe("reference.ApplianceHealth.checks") },
    ),
  ),
});

export const Health = t.Object({
  status: oneOf(["live", "ready", "not ready"], { description: describe("reference.Health.status") }),
  reasons: t.Optional(
    t.Array(t.String(), {
      description: describe("reference.Health.reasons"),
    }),
  ),
});
