/** Opens the doors for clients that were written for Kannel or Jasmin, on the API's address or one of their own. */

import type { SmppWorkers } from "../channels/sms/lines.ts";
import type { ShutdownPlan } from "../core/stop-plan.ts";
import type { ApiDeps } from "../ingress/api/deps.ts";
import { type CompatDeps, startCompat } from "../ingress/compat/compat.ts";
import { type RequestHandler, createRequestHandler } from "../ingress/http/door.ts";
import { formatAddress, listen } from "../ingress/http/listener.ts";
import type { Platform } from "./platform.ts";
import type { BatchServices } from "./submissions.ts";

type CompatServerDeps = Pick<CompatDeps, "settings" | "store" | "clock" | "log" | "newId"> & {
  readonly plan: ShutdownPlan;
  readonly machine: Platform;
};

/** For callbacks that are under way while everything stops. */
const CALLBACK_GRACE_MS = 500;

/** Who answers at the API's address: the API, and others beside it. */
export type ApiParts = Pick<ApiDeps, "health" | "services"> & {
  readonly others: ReturnType<typeof startCompatServer>;
};

/** What the API's address answers to them: nothing where they have an address of their own. */
export function startCompatServer(
  appContext: CompatServerDeps,
  { status }: Pick<SmppWorkers, "status">,
  { submitBatch }: Pick<BatchServices, "submitBatch">,
  closed: RequestHandler,
): ReturnType<ReturnType<typeof startCompat>["sets"]> {
  const isLinkUp = () =>
    status().some(({ connections }) => connections.some(({ state }) => state === "BOUND"));
  const { https, serve } = appContext.machine;
  const compat = startCompat({ ...appContext, https, submit: submitBatch, isLinkUp });
  appContext.plan.together("callbacks of Kannel and Jasmin", () => compat.stop(CALLBACK_GRACE_MS));
  const { listen: at } = appContext.settings.now().compat;
  if (at === "") return compat.sets();
  const { certificate } = formatAddress(appContext.settings);
  const own = listen({ ...appContext, at, certificate, serve, closed });
  appContext.plan.first("listening for Kannel and Jasmin", own.refuse);
  appContext.plan.together("requests of Kannel and Jasmin", own.stop);
  const unfollow = appContext.settings.onChange(() => own.renew(formatAddress(appContext.settings).certificate));
  appContext.plan.first("settings of Kannel and Jasmin", unfollow);
  own.open(createRequestHandler(compat.sets()));
  appContext.log.info("clients of Kannel and Jasmin are answered", { url: own.url });
  return [];
}
