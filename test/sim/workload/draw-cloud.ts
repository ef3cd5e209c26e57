/** What of a run goes by WhatsApp: numbers, batches, and what Meta does. It draws by itself, so that nothing of the rest changes by it. */
import type { Chance } from "../../../src/base/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { CloudHabits, CloudPlan, Plan, RecipientPlan, Step } from "../plan.ts";
import { pick, rangeFrom, rarely, weighted } from "./draw.ts";
import { drawTemper, type Temper } from "./draw-habits.ts";
import type { Scene, SubmitDraft, Undated } from "./draw-submission.ts";
import { tableOf } from "./json.ts";
import { FIRST_MS } from "./moments.ts";
import { anyOf, badNumber, drawRegular, written } from "./numbers.ts";

type Draft = Undated<Step>;
type MessageClass = SubmitDraft["request"]["message_class"];

/** The Cloud API of a run. */
export function drawCloud(seed: number): CloudPlan {
  const temper = drawTemper(forked(seed, "temper of the cloud"), true);
  const chance = forked(seed, "cloud");
  return { host: "graph.example", appSecret: "secret of the app", habits: drawHabits(chance, temper) };
}

const MOST: Readonly<Record<Temper, number>> = { good: 0, mild: 0.05, terrible: 0.25 };
/** What is said again and again, what fails for good, what nobody knows. Codes that stop the number come in moods alone. */
const REFUSALS = [130429, 131056, 80007, 4, 131026, 131049, 132000, 100, 139999, 131057] as const;
const FAILURES = [131026, 131049, 130472, 131050, 131047, 131000, 132015, 130429, 131053] as const;
const UNSURES = [500, 503, 408, 1, 2, 131000, 131016] as const;
const STOPS = [190, 10, 131042, 368, 131031, 133010] as const;

function drawHabits(chance: Chance, temper: Temper): CloudHabits {
  const bad = () => rarely(chance, MOST[temper]);
  const some = (most: number) => rarely(chance, most);
  return {
    answerMs: weighted(chance, [
      [4, rangeFrom(chance, [5, 200], [10, 400])],
      [1, rangeFrom(chance, [100, 1000], [1000, 15_000])],
    ]),
    statusMs: weighted(chance, [
      // So quick that a status overtakes the answer.
      [2, [0, 150]],
      [4, rangeFrom(chance, [100, 2000], [100, 5000])],
      [1, rangeFrom(chance, [1000, 10_000], [0, 60_000])],
    ]),
    ...{ refuseConnection: bad(), breakBefore: bad(), breakAfter: bad(), silent: bad() },
    ...{ unsure: bad(), unsures: UNSURES, refuse: bad(), refusals: REFUSALS },
    ...{ fail: bad(), failures: FAILURES, held: some(0.2), read: some(0.8), free: some(0.4) },
    ...{ loseStatus: bad(), doubleStatus: some(0.3), lateStatus: some(0.2), bareStatus: some(0.3) },
    ...{ forge: some(0.1), foreign: some(0.1), contradict: some(0.15) },
  };
}

/** The part of the configuration. */
export function cloudDocument(seed: number, { host, appSecret }: CloudPlan): Plan["document"] {
  const chance = forked(seed, "numbers of whatsapp");
  const number = (phone: string) => ({
    ...{ phone_number_id: phone, waba_id: "7", token: `token-${phone}` },
    price: {
      OTP: between(chance, [0, 10]),
      TRANSACTIONAL: between(chance, [1, 9]),
      MARKETING: between(chance, [10, 30]),
    },
    throughput: weighted(chance, [
      [1, between(chance, [1, 5])],
      [3, between(chance, [20, 80])],
    ]),
  });
  const isLimited = happens(forked(seed, "limit of whatsapp"), 0.15);
  const most = between(forked(seed, "users of a day"), [3, 30]);
  const main = { ...number("100"), ...(isLimited && { recipients_per_day: most }) };
  const isSecond = happens(chance, 0.3);
  return {
    whatsapp: {
      ...{ app_secret: appSecret, verify_token: "a word", api: `https://${host}` },
      ...{ response_timeout_seconds: between(chance, [2, 12]), sync_minutes: between(chance, [1, 5]) },
      numbers: { main, ...(isSecond && { other: number("200") }) },
    },
  };
}

/** So that silence ends within the run. */
export function drawSilence(seed: number): Plan["overrides"] {
  return { "whatsapp.receipt_timeout_hours": between(forked(seed, "silence of whatsapp"), [6, 25]) / 60 };
}

/** Its batches, and what Meta does meanwhile. */
export function drawCloudSteps(scene: Scene, messages: number): readonly Draft[] {
  const chance = forked(scene.seed, "steps of whatsapp");
  return [
    ...drawBatches(scene, chance, messages),
    ...drawMoods(scene),
    ...drawTemplates(scene),
    ...drawUsers(scene),
  ];
}

/** A doubt lasts as long as its message is worth sending, and a run does not last for days. */
const LONGEST_VALIDITY_MINUTES = 30;

function classesOf({ network }: Scene): readonly MessageClass[] {
  const minutes = tableOf(tableOf(network.document.delivery).validity_minutes);
  const all: readonly MessageClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];
  return all.filter((each) => Number(minutes[each]) <= LONGEST_VALIDITY_MINUTES);
}

function drawBatches(scene: Scene, chance: Chance, messages: number): readonly Draft[] {
  const classes = classesOf(scene);
  let left = Math.max(4, Math.floor(messages / 8));
  const drafts: Draft[] = [];
  for (let place = between(chance, [2, 9]); place > 0 && left > 0; place--) {
    const own = forked(scene.seed, "batch of whatsapp", place);
    const size = Math.min(
      left,
      weighted(own, [
        [4, 1],
        [5, between(own, [2, 10])],
        [1, between(own, [11, 40])],
      ]),
    );
    left -= size;
    drafts.push(drawBatch(scene, own, place, size, pick(own, classes)));
  }
  return drafts;
}

/** The templates of `cloud/templates.ts`, with tags in their places. */
const BODIES: Readonly<Record<MessageClass, string>> = {
  OTP: "*{code}* est votre code.",
  TRANSACTIONAL: "Bonjour {nom},  votre commande\n{commande} est prête.",
  MARKETING: "Bonjour {nom}, {offre} chez nous. À bientôt, {nom} !",
};

const NAMES = ["Awa", "Zoé", "  Issa ", "Ali\n Bâ", "Ö'Neill & fils {x}", "🙂"] as const;

function drawBatch(scene: Scene, chance: Chance, place: number, size: number, of: MessageClass): Draft {
  const account = pick(chance, scene.accounts);
  const recipients = Array.from({ length: size }, () => drawRecipient(scene, chance, place));
  const isScheduled = scene.switches("schedules") && happens(chance, 0.2);
  const isOdd = scene.switches("refused requests") && happens(chance, 0.1);
  return {
    atMs: Math.round(FIRST_MS + scene.spanMs * 0.85 * chance.fraction()),
    kind: "submit",
    account: account.name,
    idempotencyKey: `whatsapp-${place}`,
    request: {
      sender: pick(chance, account.senders),
      body: isOdd ? `${BODIES[of]} Et plus.` : BODIES[of],
      message_class: of,
      channel: "WHATSAPP",
      ...(isScheduled && { scheduledInMs: between(chance, [5, 120]) * 1000 }),
      ...drawFallback(scene, place, of),
      recipients,
    },
    fates: scene.switches("fates") && happens(chance, 0.3) ? ["answer lost"] : [],
    tries: between(chance, [3, 9]),
    afterwards: happens(chance, 0.1) ? "repeat" : "nothing",
  };
}

const SHORTEST_FALLBACK_SECONDS = 60;
/** Texts that say the same in an SMS; for some there is more than one. */
const FALLBACK_BODIES: Readonly<Record<MessageClass, readonly string[]>> = {
  OTP: ["Code {code}"],
  TRANSACTIONAL: ["{commande} prete", "Bonjour {nom}, votre commande {commande} est prête. À bientôt !"],
  MARKETING: ["{nom}: {offre}"],
};

/** Half of the batches go on as an SMS, with a text of their own or with that of the template. */
function drawFallback({ seed, network }: Scene, place: number, of: MessageClass): FallbackPart {
  const chance = forked(seed, "fallback of whatsapp", place);
  const longest = Number(tableOf(tableOf(network.document.delivery).validity_minutes)[of]) * 60;
  const isOwn = happens(chance, 0.6);
  const body = pick(chance, FALLBACK_BODIES[of]);
  const after_seconds = Math.min(longest, between(chance, [SHORTEST_FALLBACK_SECONDS, 240]));
  // A run in four shows what going on would hide: a message that is lost goes on as well.
  const mayBe = seed % 4 !== 3 && after_seconds >= SHORTEST_FALLBACK_SECONDS;
  const isAsked = happens(chance, 0.6) && mayBe;
  return isAsked ? { fallback: { channel: "SMS", after_seconds, ...(isOwn && { body }) } } : {};
}

type FallbackPart = Pick<SubmitDraft["request"], "fallback">;

function drawRecipient({ seed, network, switches }: Scene, chance: Chance, place: number): RecipientPlan {
  const isBad = switches("bad numbers") && happens(chance, 0.05);
  const number = happens(chance, 0.5)
    ? drawRegular(chance, seed, network.prefixes)
    : anyOf(chance, network.prefixes);
  const isEmpty = happens(chance, 0.04);
  const attributes = {
    code: String(between(chance, [0, 999_999])).padStart(6, "0"),
    nom: isEmpty ? oneOf(chance, ["", "  ", null]) : pick(chance, NAMES),
    commande: `${place}-${between(chance, [1, 9999])}`,
    offre: `${between(chance, [5, 60])} % de remise`,
  };
  return { msisdn: isBad ? badNumber(chance) : written(chance, number), attributes };
}

/** Moods of Meta; after one that stops the number somebody brings another token. */
function drawMoods(scene: Scene): readonly Draft[] {
  const { seed, spanMs } = scene;
  const chance = forked(seed, "moods of the cloud");
  return Array.from({ length: between(chance, [0, 5]) }, (_, place): readonly Draft[] => {
    const own = forked(seed, "mood of the cloud", place);
    const atMs = Math.round(FIRST_MS + spanMs * own.fraction());
    const forMs = between(own, [2000, happens(own, 0.5) ? 20_000 : 120_000]);
    const mood = (habits: Partial<CloudHabits>, atLeastMs = 0): Draft => ({
      ...{ atMs, kind: "cloud habits", habits, forMs: Math.max(forMs, atLeastMs) },
    });
    const change = (afterMs: number, changes: Readonly<Record<string, unknown>>): Draft => ({
      ...{ atMs: atMs + afterMs, kind: "settings", when: "now", changes },
    });
    const price = { "whatsapp.numbers.main.price.MARKETING": between(own, [5, 40]) };
    return weighted<readonly Draft[]>(own, [
      [2, [mood({ refuseConnection: 1 })]],
      [2, [mood({ breakBefore: 0.5, breakAfter: 0.5 })]],
      [2, [mood({ unsure: 0.7 })]],
      [2, [mood({ silent: 0.8 })]],
      // So long that a message has all of its posts refused.
      [3, [mood({ refuse: 0.98, refusals: [oneOf(own, [130429, 80007, 131057, 4])] }, 120_000)]],
      [2, [mood({ fail: 0.8, failures: [oneOf(own, [131026, 130429, 131056])] })]],
      [2, [mood({ loseStatus: 0.8 })]],
      [1, [mood({ statusMs: [0, 20], answerMs: [2000, 6000] })]],
      [3, stopped(own, place, (habits) => mood(habits, SHORTEST_STOP_MS), change, forMs)],
      [1, [change(0, price)]],
      [1, [change(0, { "whatsapp.numbers.main.throughput": between(own, [1, 80]) })]],
      [1, [change(0, ENABLED(false)), change(forMs, ENABLED(true))]],
    ]);
  }).flat();
}

/** So long that somebody may die meanwhile. */
const SHORTEST_STOP_MS = 90_000;
const ENABLED = (isEnabled: boolean) => ({ "whatsapp.numbers.main.enabled": isEnabled });

function stopped(
  chance: Chance,
  place: number,
  mood: (habits: Partial<CloudHabits>) => Draft,
  change: (afterMs: number, changes: Readonly<Record<string, unknown>>) => Draft,
  forMs: number,
): readonly Draft[] {
  const code = pick(chance, STOPS);
  const habits = happens(chance, 0.7) ? { refuse: 1, refusals: [code] } : { fail: 0.6, failures: [code] };
  const isMended = happens(chance, 0.7);
  const again = change(Math.max(forMs, SHORTEST_STOP_MS) + 1000, {
    "whatsapp.numbers.main.token": `token-${place}`,
  });
  return [mood(habits), ...(isMended ? [again] : [])];
}

function drawTemplates({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "templates of the cloud");
  if (!happens(chance, 0.35)) return [];
  const name = pick(chance, ["code", "commande_prete", "offre"]);
  const status = oneOf<"PAUSED" | "DISABLED">(chance, ["PAUSED", "DISABLED"]);
  const atMs = Math.round(FIRST_MS + spanMs * chance.fraction());
  const forMs = between(chance, [10_000, 200_000]);
  return [{ atMs, kind: "template", name, status, forMs, isTold: happens(chance, 0.6) }];
}

const FARTHEST_BACK_SECONDS = 400;

/** What users write to a number and say of its marketing; of some more than once, and not in the order in which it is told. */
function drawUsers({ seed, spanMs, network }: Scene): readonly Draft[] {
  const chance = forked(seed, "users of whatsapp");
  return Array.from({ length: between(chance, [0, 9]) }, (_, place): Draft => {
    const own = forked(seed, "user of whatsapp", place);
    const about = {
      atMs: Math.round(FIRST_MS + spanMs * own.fraction()),
      phone: "100",
      from: drawRegular(own, seed, network.prefixes).slice(1),
      isDoubled: happens(own, 0.3),
    };
    const value = oneOf<"stop" | "resume">(own, ["stop", "resume"]);
    const agoSeconds = between(own, [0, FARTHEST_BACK_SECONDS]);
    const isStop = happens(own, 0.4);
    return happens(own, 0.5)
      ? { ...about, kind: "whatsapp text", text: isStop ? "STOP" : `bonjour ${place}` }
      : { ...about, kind: "whatsapp preference", value, agoSeconds };
  });
}
