/** Batches by WhatsApp whose texts are those of templates. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { RecipientPlan, Step } from "../plan.ts";
import { pick, weighted } from "./draw.ts";
import type { Scene, SubmitDraft, Undated } from "./draw-submission.ts";
import { tableOf } from "./json.ts";
import { FIRST_MS } from "./moments.ts";
import { anyOf, badNumber, drawRegular, written } from "./numbers.ts";

type Draft = Undated<Step>;
export type MessageClass = SubmitDraft["request"]["message_class"];

/** A doubt lasts as long as its message is worth sending, and a run does not last for days. */
const MAX_VALIDITY_MINUTES = 30;

export function classesOf({ network }: Pick<Scene, "network">): readonly MessageClass[] {
  const minutes = tableOf(tableOf(network.document.delivery).validity_minutes);
  const all: readonly MessageClass[] = ["OTP", "TRANSACTIONAL", "MARKETING"];
  return all.filter((each) => Number(minutes[each]) <= MAX_VALIDITY_MINUTES);
}

export function drawBatches(scene: Scene, chance: Chance, messages: number): readonly Draft[] {
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
export const BODIES: Readonly<Record<MessageClass, string>> = {
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

const MIN_FALLBACK_SECONDS = 60;
/** Texts that say the same in an SMS; for some there is more than one. */
const FALLBACK_BODIES: Readonly<Record<MessageClass, readonly string[]>> = {
  OTP: ["Code {code}"],
  TRANSACTIONAL: ["{commande} prete", "Bonjour {nom}, votre commande {commande} est prête. À bientôt !"],
  MARKETING: ["{nom}: {offre}"],
};

/** Half of the batches go on as an SMS, with a text of their own or with that of the template. */
export function drawFallback({ seed, network }: Scene, place: number, of: MessageClass): FallbackPart {
  const chance = forked(seed, "fallback of whatsapp", place);
  const longest = Number(tableOf(tableOf(network.document.delivery).validity_minutes)[of]) * 60;
  const isOwn = happens(chance, 0.6);
  const body = pick(chance, FALLBACK_BODIES[of]);
  const after_seconds = Math.min(longest, between(chance, [MIN_FALLBACK_SECONDS, 240]));
  // A run in four shows what going on would hide: a message that is lost goes on as well.
  const mayBe = seed % 4 !== 3 && after_seconds >= MIN_FALLBACK_SECONDS;
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
