/** The page "SMPP": who binds, how each user stands, the sheet of connection data; create, change, kick, revoke. */
import type { AdminContext, SmppUserStatus } from "../../../admin/operations/context.ts";
import { done } from "../../../admin/operations/refusal.ts";
import {
  findSmppUser,
  SMPP_LIVE_OPERATIONS,
  SMPP_OWN_OPERATIONS,
  SMPP_USER_OPERATIONS,
  smppList,
} from "../../../admin/operations/smpp-users.ts";
import type { Config } from "../../../config/config.ts";
import { parseListen } from "../../../config/listen.ts";
import { isoOrNull } from "../../../core/clock.ts";
import { accountByUlid } from "../../../domain/accounts/accounts.ts";
import { operationRoutes } from "./operation-routes.ts";
import type { PageContext } from "./request-context.ts";
import { route } from "./route.ts";
import { ACCOUNT, filters } from "./schemas.ts";

/** What a page lists of a user that is bound or not; null while the door is closed. */
function standingOf({ server, store }: AdminContext, systemId: string) {
  const user = findSmppUser(store.read, systemId);
  const status = user.ok ? server?.smpp?.userStatus(user.value.id) : undefined;
  return status === undefined ? null : summary(status);
}

function summary({ sessions, receipts, partsWaiting, refusals }: SmppUserStatus) {
  const reasons = Map.groupBy(refusals, ({ reason }) => reason);
  return {
    sessions: sessions.length,
    rate: sessions.reduce((sum, { rate }) => sum + rate, 0),
    receipts_waiting: receipts.waiting,
    receipts_oldest_at: isoOrNull(receipts.oldestAtMs),
    parts_waiting: partsWaiting,
    /** The last ones, by reason. */
    refusals: [...reasons].map(([reason, each]) => ({ reason, times: each.length })),
  };
}

/** Where clients connect to; `host` is null where only the page's reader can know it. */
function addresses({ smpp_server: { listen, tls_listen }, server }: Pick<Config, "smpp_server" | "server">) {
  const [plain, tls] = [parseListen(listen), parseListen(tls_listen)];
  const told = (tls ?? plain)?.hostname ?? "";
  const isAll = told === "" || told === "0.0.0.0" || told === "::";
  const host = server.public_url === "" ? null : new URL(server.public_url).hostname;
  return { host: isAll ? host : told, port: plain?.port ?? null, tls_port: tls?.port ?? null };
}

function listUsers({ context }: PageContext, account: string | null) {
  const listed = smppList(context, account);
  if (!listed.ok) return listed;
  const { read } = context.store;
  const users = listed.value.users.map((user) => ({
    ...user,
    account: accountByUlid(read, user.account_id)?.name ?? "",
    standing: standingOf(context, user.system_id),
  }));
  return done({ users, address: addresses(context.config) });
}

export const SMPP_ROUTES = {
  "GET /smpp": route("smpp.read", (asked, { account }) => listUsers(asked, account), {
    query: filters({ account: ACCOUNT }),
  }),
  ...operationRoutes({
    "GET /smpp/:system_id": SMPP_LIVE_OPERATIONS["smpp show"],
    // Both answer a password, this once.
    "POST /accounts/:account/smpp": SMPP_USER_OPERATIONS["smpp create"],
    "POST /accounts/:account/smpp/own": SMPP_OWN_OPERATIONS.create,
    "PATCH /smpp/:system_id": SMPP_USER_OPERATIONS["smpp set"],
    "POST /smpp/:system_id/networks": SMPP_OWN_OPERATIONS.networks,
    "POST /smpp/:system_id/password": SMPP_USER_OPERATIONS["smpp password"],
    "POST /smpp/:system_id/revoke": SMPP_USER_OPERATIONS["smpp revoke"],
    "POST /smpp/:system_id/kick": SMPP_LIVE_OPERATIONS["smpp kick"],
  }),
};
