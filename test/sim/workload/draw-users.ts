/** What users of WhatsApp write and say, and what becomes of marketing that waits for them meanwhile. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { AccountPlan, Step } from "../plan.ts";
import { pick, weighted } from "./draw.ts";
import { BODIES, classesOf } from "./draw-cloud-batches.ts";
import type { Scene, Undated } from "./draw-submission.ts";
import { FIRST_MS } from "./moments.ts";
import { anyOf, drawRegular } from "./numbers.ts";

type Draft = Undated<Step>;
type TextDraft = Extract<Draft, { readonly kind: "whatsapp text" }>;

const FARTHEST_BACK_SECONDS = 400;

/** What users write to a number and say of its marketing; of some more than once, and not in the order in which it is told. */
export function drawUsers({ seed, spanMs, network }: Scene): readonly Draft[] {
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
      ? { ...about, kind: "whatsapp text", text: isStop ? "STOP" : `bonjour ${place}`, ...drawForm(own) }
      : { ...about, kind: "whatsapp preference", value, agoSeconds };
  });
}

function drawForm(chance: Chance): Pick<TextDraft, "as"> {
  return weighted<Pick<TextDraft, "as">>(chance, [
    [2, {}],
    [1, { as: "button" }],
    [1, { as: "list" }],
  ]);
}

/** Users to whom marketing waits, or comes later, while they and an administrator say what they want. */
export function drawStories(scene: Scene): readonly Draft[] {
  if (!classesOf(scene).includes("MARKETING")) return [];
  const chance = forked(scene.seed, "stories of users");
  return Array.from({ length: between(chance, [0, 3]) }, (_, place) => drawStory(scene, place)).flat();
}

/** In the order of a story: marketing at once, marketing that waits, what is said, marketing afterwards. */
function drawStory(scene: Scene, place: number): readonly Draft[] {
  const { seed, spanMs, network, accounts } = scene;
  const own = forked(seed, "story of a user", place);
  const account = pick(own, accounts);
  const number = anyOf(own, network.prefixes);
  const beganMs = Math.round(FIRST_MS + spanMs * 0.6 * own.fraction());
  const waitsMs = between(own, [40_000, 150_000]);
  const lastMs = waitsMs - 15_000;
  const said = Array.from({ length: between(own, [1, 3]) }, () =>
    drawSaid(own, number, beganMs + between(own, [12_000, lastMs])),
  );
  const offer = (name: string, atMs: number, scheduledInMs?: number): Draft =>
    offerTo(
      { account, number, key: `story-${place}-${name}`, offer: `${place} ${name}` },
      atMs,
      scheduledInMs,
    );
  const ACCOUNT = account.name;
  const listed: Draft = {
    atMs: beganMs + between(own, [6000, lastMs]),
    kind: "command",
    name: "suppression add",
    args: { ACCOUNT, MSISDN: number, class: "MARKETING" },
  };
  return [
    ...(happens(own, 0.7) ? [offer("first", beganMs)] : []),
    offer("waits", beganMs + 8000, waitsMs),
    ...said,
    ...(happens(own, 0.25) ? [listed] : []),
    offer("later", beganMs + waitsMs + between(own, [20_000, 60_000])),
  ];
}

/** Words that opt out, and some that do not. */
const WORDS = ["STOP", "Stop !", "arrêt", "Désabonner", "stop svp merci"] as const;
const OTHER_WORDS = ["Merci", "Stop à la vente ambulante"] as const;

function drawSaid(chance: Chance, number: string, atMs: number): Draft {
  const about = {
    atMs,
    phone: happens(chance, 0.75) ? "100" : "200",
    from: number.slice(1),
    isDoubled: happens(chance, 0.2),
  };
  const agoSeconds = between(chance, [0, 60]);
  return weighted<Draft>(chance, [
    [4, { ...about, kind: "whatsapp text", text: pick(chance, WORDS), ...drawForm(chance) }],
    [1, { ...about, kind: "whatsapp text", text: pick(chance, OTHER_WORDS) }],
    [3, { ...about, kind: "whatsapp preference", value: "stop", agoSeconds }],
    [2, { ...about, kind: "whatsapp preference", value: "resume", agoSeconds }],
  ]);
}

type Offer = {
  readonly account: AccountPlan;
  readonly number: string;
  readonly key: string;
  /** What makes its text another than those of others. */
  readonly offer: string;
};

function offerTo({ account, number, key, offer }: Offer, atMs: number, scheduledInMs?: number): Draft {
  const [sender = ""] = account.senders;
  return {
    atMs,
    kind: "submit",
    account: account.name,
    idempotencyKey: key,
    request: {
      sender,
      body: BODIES.MARKETING,
      message_class: "MARKETING",
      channel: "WHATSAPP",
      ...(scheduledInMs !== undefined && { scheduledInMs }),
      recipients: [{ msisdn: number, attributes: { nom: "Awa", offre: offer } }],
    },
    fates: [],
    tries: 9,
    afterwards: "nothing",
  };
}
