/** Puts the table of routes behind the console's guard. */

import type { Clock } from "../../../core/clock.ts";
import { accountUlid } from "../../../domain/accounts/accounts.ts";
import { may } from "../../../domain/accounts/permissions.ts";
import { renderTo } from "../../../i18n/text.ts";
import type { Permit } from "../console.ts";
import type { ConsoleLimits } from "../limits.ts";
import { resolvePageReader } from "../page-reader.ts";
import { createUploads } from "../send/file-desk.ts";
import type { ConsoleRoutes } from "../sign-in-routes.ts";
import { mountRouteTable } from "./mount.ts";

/** Adds every route to the console's set: what `console.ts` asks for as `fill`. */
export function mountConsoleRoutes(
  clock: Clock,
): (routes: ConsoleRoutes, permitted: Permit, limits: ConsoleLimits) => void {
  const files = createUploads(clock);
  return (routes, permitted, limits) =>
    mountRouteTable(routes, {
      clock,
      limits,
      askedOf: (exchange, operation) => {
        const found = permitted(exchange, operation);
        if (found instanceof Response) return found;
        const { context, accountId, visitor } = found;
        const { role } = visitor.principal;
        const language = visitor.reads;
        const reader = resolvePageReader(visitor, context.store.read, context.config);
        return {
          context,
          files,
          user: visitor.user.id,
          account: accountId === null ? null : accountUlid(context.store.read, accountId),
          // Whoever looks after operators needs no amounts; everybody else pays, sells or explains them.
          seesMoney: role !== "OPERATIONS",
          may: (wanted) => may(role, wanted),
          language,
          translate: (phrase) => renderTo(reader, phrase),
        };
      },
    });
}
