/** What of a run goes by WhatsApp: numbers, batches, and what Meta does. It draws by itself, so that nothing of the rest changes by it. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { AccountPlan, CloudHabits, CloudPlan, Plan, Step } from "../plan.ts";
import { pick, rangeFrom, rarely, weighted } from "./draw.ts";
import { drawBatches } from "./draw-cloud-batches.ts";
import { drawFreeTexts } from "./draw-free-texts.ts";
import { drawTemper, type Temper } from "./draw-habits.ts";
import type { Scene, Undated } from "./draw-submission.ts";
import { drawTemplates, drawTold } from "./draw-told.ts";
import { drawStories, drawUsers } from "./draw-users.ts";
import { tableOf } from "./json.ts";
import { FIRST_MS } from "./moments.ts";

type Draft = Undated<Step>;

/** The Cloud API of a run. */
export function drawCloud(seed: number): CloudPlan {
  const temper = drawTemper(forked(seed, "temper of the cloud"), true);
  const chance = forked(seed, "cloud");
  const habits = drawHabits(seed, chance, temper);
  return { host: "graph.example", appSecret: "secret of the app", habits };
}

const MOST: Readonly<Record<Temper, number>> = { good: 0, mild: 0.05, terrible: 0.25 };
/** What is said again and again, what fails for good, what nobody knows. Codes that stop the number come in moods alone. */
const REFUSALS = [130429, 131056, 80007, 4, 131026, 131049, 132000, 100, 139999, 131057] as const;
const FAILURES = [131026, 131049, 130472, 131050, 131047, 131000, 132015, 130429, 131053] as const;
const UNSURES = [500, 503, 408, 1, 2, 131000, 131016] as const;
const STOPS = [190, 10, 131042, 368, 131031, 133010] as const;

function drawHabits(seed: number, chance: Chance, temper: Temper): CloudHabits {
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
    refuseConnection: bad(),
    breakBefore: bad(),
    breakAfter: bad(),
    silent: bad(),
    unsure: bad(),
    unsures: UNSURES,
    refuse: bad(),
    refusals: REFUSALS,
    fail: bad(),
    failures: FAILURES,
    held: some(0.2),
    read: some(0.8),
    free: some(0.4),
    loseStatus: bad(),
    doubleStatus: some(0.3),
    lateStatus: some(0.2),
    bareStatus: some(0.3),
    forge: some(0.1),
    foreign: some(0.1),
    contradict: some(0.15),
    ...drawPrices(forked(seed, "prices of the cloud")),
  };
}

/** What Meta bills otherwise stops a template, so that most runs are without it. */
function drawPrices(chance: Chance): Pick<CloudHabits, "misprice" | "blockDirect" | "unmaskDirect"> {
  const misprice = happens(chance, 0.15) ? rarely(chance, 0.3) : 0;
  return { misprice, blockDirect: rarely(chance, 0.3), unmaskDirect: rarely(chance, 0.3) };
}

/** The part of the configuration. */
export function cloudDocument(seed: number, { host, appSecret }: CloudPlan): Plan["document"] {
  const chance = forked(seed, "numbers of whatsapp");
  const number = (phone: string) => ({
    phone_number_id: phone,
    waba_id: "7",
    token: `token-${phone}`,
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
  const direct = forked(seed, "direct send of whatsapp");
  const direct_send = happens(direct, 0.5);
  const main = { ...number("100"), direct_send, ...(isLimited && { recipients_per_day: most }) };
  const isSecond = happens(chance, 0.3);
  const other = isSecond && { other: { ...number("200"), direct_send: happens(direct, 0.3) } };
  return {
    whatsapp: {
      app_secret: appSecret,
      verify_token: "a word",
      api: `https://${host}`,
      response_timeout_seconds: between(chance, [2, 12]),
      sync_minutes: between(chance, [1, 5]),
      numbers: { main, ...other },
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
    ...drawFreeTexts(scene),
    ...drawTold(scene),
    ...drawStories(scene),
  ];
}

/** The numbers that accounts know: most of them all, and some but one or none. */
export function knownNumbers(
  seed: number,
  document: Plan["document"],
  { name }: AccountPlan,
): readonly string[] {
  const all = Object.keys(tableOf(tableOf(document.whatsapp).numbers));
  return weighted<readonly string[]>(forked(seed, "numbers of", name), [
    [12, all],
    [3, all.slice(0, 1)],
    [4, all.slice(-1)],
    [1, []],
  ]);
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
      atMs,
      kind: "cloud habits",
      habits,
      forMs: Math.max(forMs, atLeastMs),
    });
    const change = (afterMs: number, changes: Readonly<Record<string, unknown>>): Draft => ({
      atMs: atMs + afterMs,
      kind: "settings",
      when: "now",
      changes,
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
      [3, stopped(own, place, (habits) => mood(habits, MIN_STOP_MS), change, forMs)],
      [1, [change(0, price)]],
      [1, [change(0, { "whatsapp.numbers.main.throughput": between(own, [1, 80]) })]],
      [1, [change(0, ENABLED(false)), change(forMs, ENABLED(true))]],
    ]);
  }).flat();
}

/** So long that somebody may die meanwhile. */
const MIN_STOP_MS = 90_000;
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
  const again = change(Math.max(forMs, MIN_STOP_MS) + 1000, {
    "whatsapp.numbers.main.token": `token-${place}`,
  });
  return [mood(habits), ...(isMended ? [again] : [])];
}
