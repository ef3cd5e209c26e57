/** Opens the doors for clients that were written for Kannel or Jasmin, on the API's address or one of their own. */

import type { SmsLines } from "../channels/sms/lines.ts";
import type { StopPlan } from "../core/stop-plan.ts";
import type { ApiDeps } from "../ingress/api/deps.ts";
import { type CompatDeps, startCompat } from "../ingress/compat/compat.ts";
import { type Door, openDoor } from "../ingress/http/door.ts";
import { addressIn, listen } from "../ingress/http/listener.ts";
import type { Machine } from "./platform.ts";
import type { BatchServices } from "./submissions.ts";

type House = Pick<CompatDeps, "settings" | "store" | "clock" | "log" | "newId"> & {
  readonly plan: StopPlan;
  readonly machine: Machine;
};

/** For callbacks that are under way while everything stops. */
const CALLBACK_GRACE_MS = 500;

/** Who answers at the API's address: the API, and others beside it. */
export type Answering = Pick<ApiDeps, "health" | "services"> & {
  readonly others: ReturnType<typeof openCompat>;
};

/** What the API's address answers to them: nothing where they have an address of their own. */
export function openCompat(
  house: House,
  { status }: Pick<SmsLines, "status">,
  { submitBatch }: Pick<BatchServices, "submitBatch">,
  closed: Door,
): ReturnType<ReturnType<typeof startCompat>["sets"]> {
  const isLinkUp = () =>
    status().some(({ connections }) => connections.some(({ state }) => state === "BOUND"));
  const { https, serve } = house.machine;
  const compat = startCompat({ ...house, https, submit: submitBatch, isLinkUp });
  house.plan.together("callbacks of Kannel and Jasmin", () => compat.stop(CALLBACK_GRACE_MS));
  const { listen: at } = house.settings.now().compat;
  if (at === "") return compat.sets();
  const { certificate } = addressIn(house.settings);
  const own = listen({ ...house, at, certificate, serve, closed });
  house.plan.first("listening for Kannel and Jasmin", own.refuse);
  house.plan.together("requests of Kannel and Jasmin", own.stop);
  const unfollow = house.settings.onChange(() => own.renew(addressIn(house.settings).certificate));
  house.plan.first("settings of Kannel and Jasmin", unfollow);
  own.open(openDoor(compat.sets()));
  house.log.info("clients of Kannel and Jasmin are answered", { url: own.url });
  return [];
}
