import { describe, expect, test } from "vitest";
import { areasOf, paramsIn } from "../../../scripts/phrases/phrase-types.ts";
import { said } from "../../../src/i18n/phrase.ts";
import { renderAlert } from "../../../src/ops/alerts/alert-texts.ts";
import { evaluateRules, type Observation, RULE_NAMES, type RuleName } from "../../../src/ops/alerts/rules.ts";
import { configOf, document } from "../../config/sample.ts";

const NOW = Date.UTC(2026, 2, 2, 9);
const MIN = 60_000;
const DAY = 86_400_000;
const MB = 1024 * 1024;
const WELL: Observation = {
  nowMs: NOW,
  startedMs: NOW - DAY,
  links: [],
  stopped: [],
  templates: [],
  texts: [],
  moving: [],
  unread: [],
  countries: [],
  traffic: [],
  smppReceipts: [],
  oldest: new Map(),
  shares: [],
  illRoutes: [],
  routeWaits: [],
  disk: { freeBytes: 512 * MB, reserveBytes: 256 * MB },
  doubt: null,
  books: { standing: "agrees", checkedAtMs: NOW - MIN },
  backupAtMs: NOW - MIN,
  drill: { atMs: NOW - MIN, failure: null },
  certificates: [],
  endpoints: [],
  wallets: [],
};
const { rules } = configOf(document()).alerts;
const fire = (changes: Partial<Observation>, lasting: readonly string[] = [], limits = rules) =>
  evaluateRules({ ...WELL, ...changes }, limits, (rule, subject) =>
    lasting.includes(`${rule} ${subject}`),
  ).map(({ rule, subject }) => `${rule} ${subject}`.trim());
const link = (connection: number, downForMs: number | null, operator = "orange") => ({
  operator,
  connection,
  lastError: said("refused"),
  refusing: null,
  downSinceMs: downForMs === null ? null : NOW - downForMs,
});
const refusing = (answers: number, forMs: number, agoMs = 0) => ({
  ...link(2, null),
  refusing: { answers, sinceMs: NOW - forMs, atMs: NOW - agoMs, code: "0x08", answer: "an error" },
});
const traffic = (changes: object) => ({
  operator: "orange",
  matched: 0,
  unmatched: 0,
  throttledSinceMs: null,
  ...changes,
});
const share = (changes: object) => ({
  operator: "orange",
  messages: 300,
  share: 70,
  usual: 90,
  ...changes,
});

const routeWait = (forMs: number) => ({
  operator: "orange",
  messageClass: "OTP" as const,
  sender: null,
  why: "routes_down" as const,
  sinceMs: NOW - forMs,
});

/** Each rule: what is just not enough to start it, or ends it, and what starts it. */
const EDGES: Record<
  RuleName,
  readonly [quiet: Partial<Observation>, firing: Partial<Observation>, as: string]
> = {
  link_down: [
    { links: [link(1, null), link(2, MIN - 1)] },
    { links: [link(1, null), link(2, MIN)] },
    "link_down orange 2",
  ],
  operator_down: [
    { links: [link(1, 29_999), link(2, MIN)] },
    { links: [link(1, 30_000), link(2, MIN)] },
    "operator_down orange",
  ],
  not_taken: [
    { links: [refusing(4, MIN), refusing(5, 29_999)] },
    { links: [refusing(5, 30_000)] },
    "not_taken orange 2",
  ],
  number_stopped: [
    { stopped: [] },
    { stopped: [{ operator: "whatsapp:main", sinceMs: NOW, error: "190" }] },
    "number_stopped whatsapp:main",
  ],
  template_stopped: [
    { templates: [] },
    { templates: [{ template: "rappel (fr)", why: "it is paused", sinceMs: NOW }] },
    "template_stopped rappel (fr)",
  ],
  direct_text_stopped: [
    { texts: [] },
    { texts: [{ operator: "whatsapp:main", messageClass: "OTP", category: "MARKETING", sinceMs: NOW }] },
    "direct_text_stopped whatsapp:main OTP",
  ],
  template_moves: [
    { moving: [] },
    { moving: [{ template: "rappel (fr)", category: "MARKETING", movesAtMs: NOW + DAY, sinceMs: NOW }] },
    "template_moves rappel (fr)",
  ],
  templates_unread: [
    { unread: [{ operator: "whatsapp:main", readMs: NOW - 60 * MIN + 1, error: "status 500" }] },
    { unread: [{ operator: "whatsapp:main", readMs: NOW - 60 * MIN, error: "status 500" }] },
    "templates_unread whatsapp:main",
  ],
  country_refused: [
    { countries: [] },
    { countries: [{ operator: "whatsapp:main", country: "225", sinceMs: NOW }] },
    "country_refused whatsapp:main +225",
  ],
  otp_waits: [
    { oldest: new Map([["OTP", NOW - MIN]]) },
    { oldest: new Map([["OTP", NOW - MIN - 1]]) },
    "otp_waits",
  ],
  transactional_waits: [
    { oldest: new Map([["TRANSACTIONAL", NOW - 15 * MIN]]) },
    { oldest: new Map([["TRANSACTIONAL", NOW - 15 * MIN - 1]]) },
    "transactional_waits",
  ],
  route_ill: [
    { illRoutes: [] },
    {
      illRoutes: [
        {
          operator: "orange",
          route: "direct",
          cause: { kind: "deliveries", share: 40, usual: 90, messages: 50 },
          sinceMs: NOW,
        },
      ],
    },
    "route_ill orange/direct",
  ],
  no_route: [{ routeWaits: [routeWait(MIN - 1)] }, { routeWaits: [routeWait(MIN)] }, "no_route orange OTP"],
  delivered_share: [
    { shares: [share({ share: 70.1 }), share({ share: 0, usual: null })] },
    { shares: [share({})] },
    "delivered_share orange",
  ],
  receipts_unmatched: [
    { traffic: [traffic({ unmatched: 50 }), traffic({ matched: 5049, unmatched: 51 })] },
    { traffic: [traffic({ matched: 5048, unmatched: 51 })] },
    "receipts_unmatched orange",
  ],
  smpp_receipts: [
    { smppReceipts: [{ user: "faso", account: "Faso", sinceMs: NOW - 60 * MIN + 1 }] },
    { smppReceipts: [{ user: "faso", account: "Faso", sinceMs: NOW - 60 * MIN }] },
    "smpp_receipts faso",
  ],
  throttled: [
    { traffic: [traffic({ throttledSinceMs: NOW - 10 * MIN + 1 })] },
    { traffic: [traffic({ throttledSinceMs: NOW - 10 * MIN })] },
    "throttled orange",
  ],
  disk: [
    { disk: { freeBytes: 512 * MB, reserveBytes: 256 * MB } },
    { disk: { freeBytes: 512 * MB - 1, reserveBytes: 256 * MB } },
    "disk",
  ],
  clock: [
    { doubt: null },
    { doubt: { kind: "jumped", believedMs: NOW, wallMs: NOW + DAY, sinceMs: NOW } },
    "clock",
  ],
  books: [
    { books: { standing: "not checked yet", checkedAtMs: null } },
    { books: { standing: "differs", checkedAtMs: NOW } },
    "books",
  ],
  backup: [{ backupAtMs: NOW - 26 * 60 * MIN }, { backupAtMs: NOW - 26 * 60 * MIN - 1 }, "backup"],
  drill: [{ drill: null }, { drill: { atMs: NOW, failure: "a page was altered" } }, "drill"],
  certificate: [
    { certificates: [{ key: "server.tls_certificate", path: "x", endsAtMs: NOW + 14 * DAY }] },
    { certificates: [{ key: "server.tls_certificate", path: "x", endsAtMs: NOW + 14 * DAY - 1 }] },
    "certificate server.tls_certificate",
  ],
  endpoint: [{ endpoints: [] }, { endpoints: [{ id: "W1", account: "A1" }] }, "endpoint W1"],
  wallet_low: [
    { wallets: [] },
    { wallets: [{ accountId: "A1", name: "Faso", spendable: 5 }] },
    "wallet_low A1",
  ],
};

describe.each(RULE_NAMES.map((rule) => [rule] as const))("the rule %s", (rule) => {
  const [quiet, firing, as] = EDGES[rule];

  test("starts at its threshold, and ends before it", () => {
    expect(fire(quiet)).toEqual([]);
    expect(fire(firing)).toEqual([as]);
  });

  test("never fires while it is switched off", () => {
    const off = { ...rules, [rule]: { ...rules[rule], enabled: false } };
    expect(fire(firing, [], off)).toEqual([]);
  });

  test("finds every fact that its words tell", () => {
    const [found] = evaluateRules({ ...WELL, ...firing }, rules, () => false);
    const entries = areasOf("en").get("alarm") ?? {};
    for (const { code } of Object.values(renderAlert(rule, found!.facts)))
      expect(Object.keys(found!.facts)).toEqual(
        expect.arrayContaining([...paramsIn(entries[code.slice("alarm.".length)]!).keys()]),
      );
  });
});

test("an appliance that is well has no alarm, also before its first backup, check and receipt", () => {
  expect(fire({})).toEqual([]);
  expect(fire({ backupAtMs: NOW - DAY, drill: null, disk: null })).toEqual([]);
});

test("a backup that is late because the appliance was off is no alarm until a start had an hour to make it", () => {
  const late = { backupAtMs: NOW - 3 * DAY };
  expect(fire({ ...late, startedMs: NOW - 60 * MIN })).toEqual([]);
  expect(fire({ ...late, startedMs: NOW - 60 * MIN - 1 })).toEqual(["backup"]);
  expect(fire({ ...late, startedMs: NOW - MIN }, ["backup "])).toEqual(["backup"]);
});

test("the last link of an operator is the operator's alarm, not two; one that lasted before goes on", () => {
  const links = [link(1, 5 * MIN), link(2, 2 * MIN)];
  expect(fire({ links })).toEqual(["operator_down orange"]);
  expect(fire({ links }, ["link_down orange 1"])).toEqual(["link_down orange 1", "operator_down orange"]);
});

test("an alarm goes on while its link is down, however short since a restart, and ends when it is up", () => {
  const lasting = ["link_down orange 2", "operator_down moov"];
  const links = [link(1, null), link(2, 1), link(1, 1, "moov")];
  expect(fire({ links }, lasting)).toEqual(lasting);
  expect(fire({ links: [link(1, null), link(2, null), link(1, null, "moov")] }, lasting)).toEqual([]);
});

test("a route that others took over from again and again is told of by that", () => {
  const cause = { kind: "take_overs", times: 3 } as const;
  const illRoutes = [{ operator: "orange", route: "direct", cause, sinceMs: NOW }];
  const [found] = evaluateRules({ ...WELL, illRoutes }, rules, () => false);
  expect(renderAlert("route_ill", found!.facts).detail).toMatchObject({
    code: "alarm.route_ill.detail.take_overs",
    params: { operator: "orange", route: "direct", times: 3 },
  });
});

test("what waits for a route goes on being told after a restart, and why it waits", () => {
  const seen = { routeWaits: [routeWait(1)] };
  expect(fire(seen, ["no_route orange OTP"])).toEqual(["no_route orange OTP"]);
  const [found] = evaluateRules({ ...WELL, ...seen }, rules, () => true);
  expect(renderAlert("no_route", found!.facts).detail).toMatchObject({
    params: { hold: { code: "alarm.no_route.routes_down" } },
  });
  const ofSender = { ...routeWait(MIN), sender: "PHARMACIE", why: "no_route_for_sender" as const };
  expect(fire({ routeWaits: [ofSender] })).toEqual(["no_route orange OTP PHARMACIE"]);
  const [one] = evaluateRules({ ...WELL, routeWaits: [ofSender] }, rules, () => false);
  expect(renderAlert("no_route", one!.facts).detail).toMatchObject({
    code: "alarm.no_route.detail.sender",
    params: { sender: "PHARMACIE", hold: { code: "alarm.no_route.no_route_for_sender" } },
  });
});

test("what is counted since the start ends nothing that lasted before it, until it would have been seen", () => {
  const lasting = ["receipts_unmatched orange", "throttled orange"];
  const seen = (startedMs: number) => fire({ traffic: [traffic({})], startedMs }, lasting);
  expect(seen(NOW - 15 * MIN + 1)).toEqual(lasting);
  expect(seen(NOW - 15 * MIN)).toEqual([]);
  expect(fire({ traffic: [traffic({})], startedMs: NOW })).toEqual([]);
});

test("a reserve of nothing has no alarm of the disk", () => {
  expect(fire({ disk: { freeBytes: 0, reserveBytes: 0 } })).toEqual([]);
});

test("an operator that takes nothing is forgotten once it was asked nothing for a while, not at a start", () => {
  const lasting = ["not_taken orange 2"];
  expect(fire({ links: [refusing(1, 1)] }, lasting)).toEqual(lasting);
  expect(fire({ links: [refusing(900, 60 * MIN, 15 * MIN)] }, lasting)).toEqual([]);
  const seen = (startedMs: number) => fire({ links: [link(2, null)], startedMs }, lasting);
  expect(seen(NOW - 15 * MIN + 1)).toEqual(lasting);
  expect(seen(NOW - 15 * MIN)).toEqual([]);
});
