/** What clients and administrators do beside submitting. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { ReceiverPlan, Step } from "../plan.ts";
import { pick, shuffled, weighted } from "./draw.ts";
import { drawEvents } from "./draw-accounts.ts";
import { routeCodesIn } from "./draw-routes.ts";
import type { Scene, SubmitDraft, Undated } from "./draw-submission.ts";
import { drawMoment, soonAfter } from "./moments.ts";
import { drawRegular } from "./numbers.ts";
import type { Deed } from "./switches.ts";

type Draft = Undated<Step>;
/** One step of a kind, without its time where any will do; null where the run has nothing to do it with. */
type Drawn = DraftWithoutTime<Step> | null;
type DraftWithoutTime<S> = S extends Step ? Omit<S, "index" | "atMs"> & { readonly atMs?: number } : never;

export type DeedsScene = Scene & {
  readonly submits: readonly SubmitDraft[];
  readonly receivers: readonly ReceiverPlan[];
};

type Recipe = {
  readonly deed: Deed;
  readonly count: readonly [number, number];
  readonly draw: (scene: DeedsScene, chance: Chance) => Drawn;
};

/** Each kind, how often it happens where it is switched on, and what it is. */
const RECIPES: readonly Recipe[] = [
  { deed: "read", count: [4, 25], draw: drawRead },
  { deed: "cancel", count: [1, 6], draw: drawCancel },
  { deed: "suspend", count: [1, 2], draw: drawSuspension },
  { deed: "top up", count: [1, 6], draw: drawTopUp },
  {
    deed: "rotate key",
    count: [1, 3],
    draw: (scene, chance) => ({ kind: "rotate key", account: nameIn(scene, chance) }),
  },
  { deed: "webhook", count: [1, 7], draw: drawWebhook },
  { deed: "settings", count: [1, 4], draw: drawSettings },
  { deed: "adjust", count: [1, 3], draw: drawAdjustment },
  { deed: "price", count: [1, 5], draw: drawPrice },
  { deed: "senders", count: [1, 4], draw: drawSenderChange },
  { deed: "suppression", count: [1, 8], draw: drawSuppression },
  { deed: "account set", count: [1, 3], draw: drawAccountChange },
  { deed: "look", count: [1, 6], draw: drawLook },
  { deed: "reload", count: [1, 7], draw: drawReload },
  { deed: "back up", count: [1, 4], draw: drawBackup },
  { deed: "route pauses", count: [1, 4], draw: drawRoutePause },
  { deed: "route senders", count: [1, 5], draw: drawRouteSender },
  { deed: "ill routes", count: [2, 5], draw: drawStatusLook },
];

/** The deeds of a run. */
export function drawDeeds(scene: DeedsScene): readonly Draft[] {
  return RECIPES.filter(({ deed }) => scene.switches(deed)).flatMap(({ deed, count, draw }) =>
    Array.from(
      { length: between(forked(scene.seed, "deeds", deed), count) },
      (_, place): readonly Draft[] => {
        const chance = forked(scene.seed, "deed", deed, place);
        const atMs = drawMoment(chance, scene.spanMs, scene.submits);
        const drawn = draw(scene, chance);
        return drawn === null ? [] : [{ ...drawn, atMs: drawn.atMs ?? atMs }];
      },
    ).flat(),
  );
}

function nameIn({ accounts }: Scene, chance: Chance): string {
  return pick(chance, accounts).name;
}

function drawRead(scene: DeedsScene, chance: Chance): Drawn {
  const what = weighted<Extract<Step, { kind: "read" }>["what"]>(chance, [
    [10, "feed"],
    [4, "batches"],
    [3, "messages"],
    [3, "balance"],
    [1, "senders"],
    [1, "webhooks"],
    [1, "someone else's batch"],
    [1, "someone else's message"],
    [1, "without a key"],
    [1, "with a narrow key"],
    [4, "an odd request"],
    [1, "health"],
  ]);
  return { kind: "read", account: nameIn(scene, chance), what };
}

/** A submission that something happens soon after; null without any. */
function hotSubmit({ submits }: DeedsScene, chance: Chance): SubmitDraft | null {
  return submits.length > 0 ? pick(chance, submits) : null;
}

/** Mostly soon after a submission of the account whose batch it is. */
function drawCancel(scene: DeedsScene, chance: Chance): Drawn {
  const submit = hotSubmit(scene, chance);
  const atMs = soonAfter(chance, scene.spanMs, submit);
  return {
    kind: "cancel",
    account: submit?.account ?? nameIn(scene, chance),
    ...(atMs !== null && { atMs }),
  };
}

function drawSuspension(scene: DeedsScene, chance: Chance): Drawn {
  // A request that comes in drips has shown its key long before its money is set aside.
  const slow = scene.submits.filter(({ fates }) => fates[0] === "slow");
  const isMeanwhile = slow.length > 0 && happens(chance, 0.6);
  const submit = isMeanwhile ? pick(chance, slow) : hotSubmit(scene, chance);
  const atMs = soonAfter(chance, scene.spanMs, submit);
  const forMs = between(chance, [500, happens(chance, 0.5) ? 10_000 : 120_000]);
  return {
    kind: "suspend",
    account: submit?.account ?? nameIn(scene, chance),
    forMs,
    ...(atMs !== null && { atMs }),
  };
}

/** References are few, so that one comes twice, in some with another amount. */
function drawTopUp(scene: DeedsScene, chance: Chance): Drawn {
  const reference = `payment ${between(chance, [1, 5])}`;
  const amount = happens(chance, 0.7) ? 5000 : between(chance, [1, 20_000]);
  return { kind: "top up", account: nameIn(scene, chance), amount, reference };
}

function drawWebhook(scene: DeedsScene, chance: Chance): Drawn {
  if (scene.receivers.length === 0) return null;
  const receiver = pick(chance, scene.receivers).name;
  const owner = scene.accounts.find(({ endpoints }) => endpoints.some((own) => own.receiver === receiver));
  const what = weighted<Extract<Step, { kind: "webhook" }>["what"]>(chance, [
    [3, "register"],
    [2, "disable"],
    [3, "enable"],
    [3, "rotate"],
    [2, "update"],
    [1, "delete"],
    [1, "replay"],
    [1, "test"],
  ]);
  const account = owner && what !== "register" ? owner.name : nameIn(scene, chance);
  const events = drawEvents(chance);
  const byCommand = happens(chance, 0.4) && { byCommand: true };
  // By command an empty list is refused; null stands for all there.
  return {
    kind: "webhook",
    account,
    receiver,
    what,
    ...byCommand,
    events: what === "update" && !events?.length ? null : events,
  };
}

/** Keys that may change while it runs, and with the next start some that may not. */
function drawSettings(scene: DeedsScene, chance: Chance): Drawn {
  const code = pick(chance, scene.network.codes);
  const connection = `operators.${code}.connections.0`;
  const change = weighted<Readonly<Record<string, unknown>>>(chance, [
    [2, { [`operators.${code}.price`]: between(chance, [1, 60]) }],
    [2, { [`${connection}.throughput`]: between(chance, [5, 300]) }],
    [2, { "policy.marketing_per_day": between(chance, [0, 4]) }],
    [1, { "policy.recipients_per_minute": between(chance, [0, 200]) }],
    [1, { "billing.charge_on": oneOf(chance, ["accepted", "delivered"]) }],
    [1, { "delivery.unanswered.TRANSACTIONAL": oneOf(chance, ["resend", "wait"]) }],
    [1, { "delivery.validity_minutes.OTP": between(chance, [1, 10]) }],
    [1, { "webhooks.retry_seconds": [1, 2, between(chance, [2, 20])] }],
  ]);
  if (happens(chance, 0.6)) return { kind: "settings", when: "now", changes: change };
  const fixed = weighted<Readonly<Record<string, unknown>>>(chance, [
    [2, { [`${connection}.window`]: between(chance, [1, 50]) }],
    [1, { [`${connection}.long_messages`]: oneOf(chance, ["udh", "sar", "payload"]) }],
    [1, { [`${connection}.response_timeout_seconds`]: between(chance, [2, 12]) }],
  ]);
  return { kind: "settings", when: "next start", changes: { ...change, ...fixed } };
}

/** Connections that come, change and go while it runs, and operators that are held still. */
function drawReload(scene: DeedsScene, chance: Chance): Drawn {
  const code = pick(chance, scene.network.codes);
  const first = `operators.${code}.connections.0`;
  const now = (changes: Readonly<Record<string, unknown>>) =>
    ({ kind: "settings", when: "now", changes }) as const;
  const reconnect = { kind: "command", name: "operator reconnect", args: { CODE: code } } as const;
  const forMs = between(chance, [500, happens(chance, 0.5) ? 10_000 : 90_000]);
  return weighted<Exclude<Drawn, null>>(chance, [
    [4, now({ [`operators.${code}.connections.one more`]: true })],
    [4, now({ [`operators.${code}.connections.one less`]: true })],
    [2, now({ [`${first}.window`]: between(chance, [1, 50]) })],
    [2, now({ [`${first}.response_timeout_seconds`]: between(chance, [2, 12]) })],
    [2, now({ [`${first}.system_type`]: `T${between(chance, [1, 5])}` })],
    [1, now({ [`${first}.long_messages`]: oneOf(chance, ["udh", "sar"]) })],
    [2, reconnect],
    [3, { kind: "pause", code, isFirst: happens(chance, 0.4), forMs }],
  ]);
}

function drawAdjustment(scene: DeedsScene, chance: Chance): Drawn {
  const AMOUNT = weighted(chance, [
    [4, `+${between(chance, [1, 900])}`],
    [4, `-${between(chance, [1, 900])}`],
    // More than anybody has: the wallet is in debit from then on, or until as much comes back.
    [1, "-20000000"],
    [1, "+20000000"],
  ]);
  const args = { ACCOUNT: nameIn(scene, chance), AMOUNT, reason: "corrected" };
  return { kind: "command", name: "wallet adjust", args };
}

function drawPrice(scene: DeedsScene, chance: Chance): Drawn {
  const ACCOUNT = nameIn(scene, chance);
  const operator = pick(chance, scene.network.codes);
  const ofClass = happens(chance, 0.4) ? { class: oneOf(chance, ["OTP", "TRANSACTIONAL", "MARKETING"]) } : {};
  if (happens(chance, 0.2))
    return { kind: "command", name: "price unset", args: { ACCOUNT, operator, ...ofClass } };
  const args = { ACCOUNT, operator, amount: String(between(chance, [0, 60])), ...ofClass };
  return { kind: "command", name: "price set", args };
}

function drawSenderChange(scene: DeedsScene, chance: Chance): Drawn {
  const account = pick(chance, scene.accounts);
  const args = { ACCOUNT: account.name, NAME: pick(chance, account.senders) };
  const operator = pick(chance, scene.network.codes);
  return weighted<Exclude<Drawn, null>>(chance, [
    [3, { kind: "command", name: "sender unregister", args: { ...args, operator } }],
    [3, { kind: "command", name: "sender register", args: { ...args, operator } }],
    [1, { kind: "command", name: "sender reject", args: { ...args, reason: "as planned" } }],
    [2, { kind: "command", name: "sender approve", args }],
  ]);
}

function drawSuppression(scene: DeedsScene, chance: Chance): Drawn {
  const list = happens(chance, 0.25) ? { everywhere: "" } : { ACCOUNT: nameIn(scene, chance) };
  const regular = drawRegular(chance, scene.seed, scene.network.prefixes);
  // Somebody opts out whose message is on its way, or waits for its time.
  const submit = happens(chance, 0.6) ? hotSubmit(scene, chance) : null;
  const [recipient] = submit ? shuffled(chance, submit.request.recipients.slice(0, 300)) : [];
  const MSISDN = recipient?.msisdn.trim() ? recipient.msisdn : regular;
  const args = { ...list, MSISDN, class: oneOf(chance, ["MARKETING", "all", "OTP", "TRANSACTIONAL"]) };
  const name = happens(chance, 0.75) ? "suppression add" : "suppression remove";
  const atMs = soonAfter(chance, scene.spanMs, submit);
  return { kind: "command", name, args, ...(atMs !== null && { atMs }) };
}

function drawAccountChange(scene: DeedsScene, chance: Chance): Drawn {
  const ACCOUNT = nameIn(scene, chance);
  const change = weighted<Readonly<Record<string, string>>>(chance, [
    [1, { "recipients-per-minute": oneOf(chance, ["default", "30", "0"]) }],
    [1, { "marketing-hours": oneOf(chance, ["default", "00:00-24:00"]) }],
    [1, { "marketing-per-day": oneOf(chance, ["default", "1", "0"]) }],
    [1, { classes: oneOf(chance, ["all", "OTP,TRANSACTIONAL"]) }],
    [2, { "charge-on": oneOf(chance, ["accepted", "delivered", "default"]) }],
    [1, { "credit-limit": String(between(chance, [0, 5000])) }],
    [1, { "low-balance": oneOf(chance, ["default", "100", "100000000"]) }],
  ]);
  return { kind: "command", name: "account set", args: { ACCOUNT, ...change } };
}

/** What only looks: it must say the truth in the middle of everything too. */
function drawLook(scene: DeedsScene, chance: Chance): Drawn {
  const ACCOUNT = nameIn(scene, chance);
  return weighted<Exclude<Drawn, null>>(chance, [
    [4, { kind: "command", name: "ledger check", args: {} }],
    [2, { kind: "command", name: "wallet statement", args: { ACCOUNT } }],
    [1, { kind: "command", name: "wallet show", args: { ACCOUNT } }],
    [2, { kind: "command", name: "operator unanswered", args: { limit: "1000" } }],
    [1, { kind: "command", name: "operator status", args: {} }],
    [1, { kind: "command", name: "operator receipts", args: {} }],
    [1, { kind: "command", name: "batch list", args: { ACCOUNT } }],
    [1, { kind: "command", name: "key create", args: { ACCOUNT, name: "spare", scopes: "MESSAGES_READ" } }],
  ]);
}

/** A copy in the middle of everything, and a trial of the newest. */
function drawBackup(_scene: DeedsScene, chance: Chance): Drawn {
  const name = oneOf(chance, ["backup create", "backup create", "backup drill"]);
  return { kind: "command", name, args: {} };
}

/** One of the routes of an operator is held still, mostly when something is about to leave. */
function drawRoutePause(scene: DeedsScene, chance: Chance): Drawn {
  const routed = routeCodesIn(scene.network.document);
  if (routed.length === 0) return null;
  const { code, routes } = pick(chance, routed);
  const atMs = soonAfter(chance, scene.spanMs, happens(chance, 0.7) ? hotSubmit(scene, chance) : null);
  const forMs = between(chance, [500, happens(chance, 0.5) ? 10_000 : 90_000]);
  const pause = { kind: "pause", code, isFirst: false, route: pick(chance, routes), forMs } as const;
  return { ...pause, ...(atMs !== null && { atMs }) };
}

/** A sender is registered for one route, or not any more; taken back for all, mostly for one of them to be left. */
function drawRouteSender(scene: DeedsScene, chance: Chance): Drawn {
  const routed = routeCodesIn(scene.network.document);
  if (routed.length === 0) return null;
  const account = pick(chance, scene.accounts);
  const { code, routes } = pick(chance, routed);
  const operator = happens(chance, 0.85) ? `${code}/${pick(chance, routes)}` : code;
  const args = { ACCOUNT: account.name, NAME: pick(chance, account.senders), operator };
  const name = happens(chance, 0.6) ? "sender register" : "sender unregister";
  return { kind: "command", name, args };
}

/** What tells whether a route is ill. */
function drawStatusLook(scene: DeedsScene): Drawn {
  if (routeCodesIn(scene.network.document).length === 0) return null;
  return { kind: "command", name: "operator status", args: {} };
}
