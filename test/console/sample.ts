/** A back end for the front end's tests: what the contract says, with figures that a morning could have. */

import type { AccountLive, StaffLive } from "../../src/console/server/live/live-view.ts";
import type { Me, SessionView } from "../../src/console/server/sign-in-contract.ts";
import type { Contract } from "../../src/console/ui/api/contract.ts";
import { phrase } from "../../src/i18n/phrase.ts";
import { applianceSample } from "./sample-appliance.ts";

const AT = "2026-11-23T09:41:07.000Z";

export const STAFF_ME: Me = {
  login: "awa.ouedraogo@reseau.example",
  role: "OWNER",
  account: null,
  language: null,
  timezone: "Africa/Ouagadougou",
  renews_factor: false,
  capabilities: [
    ...(["start.read", "search", "money.read", "operators.read", "reports.read"] as const),
    ...(["alarms.read", "alarms.change", "appliance.read", "appliance.change"] as const),
    ...(["backups.read", "backups.change", "audit.read", "books.read"] as const),
    ...(["operators.change", "settings.change"] as const),
  ],
};

export const ACCOUNT_ME: Me = {
  ...STAFF_ME,
  login: "salif@boutique.example",
  role: "ACCOUNT_ADMIN",
  account: { id: "01JB0000000000000000000001", name: "Boutique Faso Dan Fani" },
  capabilities: ["start.read", "search", "money.read", "batches.read", "reports.read"],
};

const CONNECTION = {
  connection: 1,
  window: 100,
  in_flight: 12,
  rate: 100,
  paused: null,
  next_attempt_at: null,
  last_error: null,
  refusing: null,
};

export const STAFF_LIVE: StaffLive = {
  kind: "staff",
  at: AT,
  names: { orange: "Orange Burkina", moov: "Moov Africa", telecel: "Telecel Faso" },
  connections: [
    {
      ...CONNECTION,
      operator: "orange",
      state: "BOUND",
      since: "2026-11-21T04:12:00.000Z",
      sent_last_second: 87,
    },
    {
      ...CONNECTION,
      operator: "moov",
      state: "BOUND",
      since: "2026-11-22T18:03:00.000Z",
      sent_last_second: 42,
    },
    {
      ...CONNECTION,
      operator: "telecel",
      state: "WAITING",
      since: "2026-11-23T09:20:00.000Z",
      sent_last_second: 0,
      in_flight: 0,
      next_attempt_at: "2026-11-23T09:42:00.000Z",
      last_error: phrase("link.bind_refused.password", { status: "0x0E RINVPASWD" }),
      refusing: null,
    },
  ],
  queues: [
    {
      operator: "orange",
      message_class: "MARKETING",
      messages: 18_240,
      postponed: 0,
      oldest_at: "2026-11-23T09:38:00.000Z",
    },
    {
      operator: "telecel",
      message_class: "OTP",
      messages: 12,
      postponed: 0,
      oldest_at: "2026-11-23T09:40:52.000Z",
    },
    {
      operator: "telecel",
      message_class: "MARKETING",
      messages: 2914,
      postponed: 0,
      oldest_at: "2026-11-23T09:20:10.000Z",
    },
  ],
  shares: [
    { operator: "orange", last_hour: 0.974, last_week: 0.969 },
    { operator: "moov", last_hour: 0.931, last_week: 0.942 },
    { operator: "telecel", last_hour: null, last_week: 0.905 },
  ],
  charged_today: 1_284_300,
  messages_today: 86_412,
  alarms: [
    {
      rule: "operator_down",
      subject: "telecel",
      title: "telecel: ESME_RINVPASWD",
      detail: "0 / 1, 09:20",
      advice: "bendre operator status",
      since: "2026-11-23T09:20:00.000Z",
    },
  ],
  troubles: [{ kind: "PUT_OFF", operator: "moov", messages: 3 }],
};

export const ACCOUNT_LIVE: AccountLive = {
  kind: "account",
  at: AT,
  balance: { spendable: 412_500, reserved: 9000, segments: 27_500 },
  batches: [
    {
      batch_id: "01JB0000000000000000000002",
      reference: "Soldes de novembre",
      status: "SENDING",
      created_at: "2026-11-23T09:02:00.000Z",
      total: 20_000,
      delivered: 13_240,
      failed: 611,
    },
    {
      batch_id: "01JB0000000000000000000003",
      reference: null,
      status: "SETTLED",
      created_at: "2026-11-23T07:30:00.000Z",
      total: 1,
      delivered: 1,
      failed: 0,
    },
  ],
  delivered_share: 0.956,
  messages_today: 20_001,
  notices: [
    { kind: "SENDER_PENDING", sender: "FASODANFANI" },
    { kind: "BALANCE_LOW", level: 500_000 },
  ],
};

const SESSION = { address: "196.28.245.10", created_at: "2026-11-23T07:58:00.000Z", seen_at: AT };
const SESSIONS: readonly SessionView[] = [
  { ...SESSION, id: "2", agent: "Firefox 145, Linux", is_current: true },
  { ...SESSION, id: "1", agent: "Chrome 142, Android", address: "41.138.96.7", is_current: false },
];

export const PASSWORD = "une calebasse et sa peau";
export const CODE = "246810";
/** What brings the second factor of the link back. */
export const LINK_PROPOSAL = "sealed";
export const LINK_SECRET = "sample-link";

type Name = keyof Contract;
export type Reply = { readonly status: number; readonly value: unknown };
const good = <Of extends Name>(value: Contract[Of]["answer"]): Reply => ({ status: 200, value });
const no = (status: number, code: string): Reply => ({ status, value: { status, code, detail: code } });

/** One browser's back end: remembers how far it signed in, and what it was asked. */
export function sampleBackEnd() {
  let me: Me | null = null;
  let waiting: Me | null = null;
  let isConfirmed = true;
  const asked: { readonly name: string; readonly body: unknown }[] = [];
  const reply = (name: string, body: Readonly<Record<string, unknown>>): Reply => {
    asked.push({ name, body });
    const [kind] = name.split("?");
    if (!me && OPEN.includes(kind as Name)) return open(kind as Name, body);
    if (kind === "POST /link/look" || kind === "POST /link/use") return open(kind, body);
    if (!me) return no(401, "UNAUTHORIZED");
    switch (kind as Name) {
      case "GET /me":
        return good<"GET /me">(me);
      case "POST /sign-out":
        me = null;
        return good<"POST /sign-out">({});
      case "GET /me/sessions":
        return good<"GET /me/sessions">({ sessions: SESSIONS });
      case "GET /search":
        return good<"GET /search">({
          hits: [
            { kind: "number", id: "22670123456", title: "+226 70 12 34 56" },
            { kind: "account", id: "01JB0000000000000000000001", title: "Boutique Faso Dan Fani" },
          ],
        });
      case "GET /start":
        return good<"GET /start">(me.account === null ? STAFF_LIVE : ACCOUNT_LIVE);
      case "POST /me/language":
        return good<"POST /me/language">({});
      case "POST /confirm":
        isConfirmed = body.code === CODE;
        return isConfirmed ? good<"POST /confirm">({}) : no(422, "CODE_REFUSED");
      case "POST /me/sessions/end":
        if (!isConfirmed) return no(403, "SECOND_FACTOR_NEEDED");
        return good<"POST /me/sessions/end">({});
      default: {
        const value = applianceSample(name);
        return value === undefined ? no(404, "NOT_FOUND") : { status: 200, value };
      }
    }
  };
  const open = (kind: Name, body: Readonly<Record<string, unknown>>): Reply => {
    switch (kind) {
      case "POST /sign-in": {
        const who = [STAFF_ME, ACCOUNT_ME].find(({ login }) => login === body.login);
        if (!who || body.password !== PASSWORD) return no(401, "SIGN_IN_REFUSED");
        waiting = who;
        return good<"POST /sign-in">({ step: "SECOND_FACTOR" });
      }
      case "POST /second-factor":
        if (body.code !== CODE || !waiting) return no(401, "SIGN_IN_REFUSED");
        me = waiting;
        return good<"POST /second-factor">({});
      case "POST /link/look":
        if (body.secret !== LINK_SECRET) return no(401, "LINK_INVALID");
        return good<"POST /link/look">({
          login: "",
          role: "OWNER",
          totp: {
            uri: "otpauth://totp/Bendre:console?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Bendre",
            secretBase32: "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP",
          },
          proposal: LINK_PROPOSAL,
        });
      case "POST /link/use":
        me = { ...STAFF_ME, login: String(body.login) };
        return good<"POST /link/use">({
          recoveryCodes: ["k7dm-92xq", "p3vt-58ha", "w6zc-41ne", "r9bf-73gy", "t2js-60mu", "h8ql-15dk"],
        });
      default:
        return no(401, "UNAUTHORIZED");
    }
  };
  return {
    reply,
    asked,
    /** Signs somebody in without the form. */
    enter: (who: Me) => {
      me = who;
    },
    /** What changes something asks for the second factor from now on. */
    forgetFactor: () => {
      isConfirmed = false;
    },
    live: () => (me?.account === null ? STAFF_LIVE : ACCOUNT_LIVE),
  };
}

const OPEN: readonly Name[] = ["POST /sign-in", "POST /second-factor"];
