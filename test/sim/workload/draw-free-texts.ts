/** Batches by WhatsApp whose text is no template's: sent without one where the number may, and refused else. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens } from "../chance.ts";
import type { RecipientPlan, Step } from "../plan.ts";
import { pick, weighted } from "./draw.ts";
import { classesOf, drawFallback, type MessageClass } from "./draw-cloud-batches.ts";
import type { Scene, Undated } from "./draw-submission.ts";
import { FIRST_MS } from "./moments.ts";
import { anyOf, drawRegular, written } from "./numbers.ts";

type Draft = Undated<Step>;

/** White space and tags as people write them: what is sent without a template is sent as it stands. */
const BODIES: Readonly<Record<MessageClass, string>> = {
  OTP: "{code} : votre code, {nom}",
  TRANSACTIONAL: "Votre colis {commande}  arrive,\n{nom} !",
  MARKETING: "{nom}, {offre} : venez !",
};
/** What the other pages of a run draw by their place. */
const PLACES_FROM = 100;

export function drawFreeTexts(scene: Scene): readonly Draft[] {
  const chance = forked(scene.seed, "free texts of whatsapp");
  const classes = classesOf(scene);
  const batches = Array.from({ length: between(chance, [0, 4]) }, (_, place) =>
    drawBatch(scene, place, pick(chance, classes)),
  );
  return [...batches, ...drawLeave(scene)];
}

function drawBatch(scene: Scene, place: number, of: MessageClass): Draft {
  const own = forked(scene.seed, "free text of whatsapp", place);
  const account = pick(own, scene.accounts);
  const size = weighted(own, [
    [3, 1],
    [3, between(own, [2, 8])],
  ]);
  const isScheduled = scene.switches("schedules") && happens(own, 0.2);
  return {
    atMs: Math.round(FIRST_MS + scene.spanMs * 0.85 * own.fraction()),
    kind: "submit",
    account: account.name,
    idempotencyKey: `free-${place}`,
    request: {
      sender: pick(own, account.senders),
      body: BODIES[of],
      message_class: of,
      channel: "WHATSAPP",
      ...(isScheduled && { scheduledInMs: between(own, [5, 120]) * 1000 }),
      ...drawFallback(scene, PLACES_FROM + place, of),
      recipients: Array.from({ length: size }, () => drawRecipient(scene, own, place)),
    },
    fates: scene.switches("fates") && happens(own, 0.3) ? ["answer lost"] : [],
    tries: between(own, [3, 9]),
    afterwards: "nothing",
  };
}

function drawRecipient({ seed, network }: Scene, chance: Chance, place: number): RecipientPlan {
  const number = happens(chance, 0.3)
    ? drawRegular(chance, seed, network.prefixes)
    : anyOf(chance, network.prefixes);
  const attributes = {
    code: String(between(chance, [0, 999_999])).padStart(6, "0"),
    nom: pick(chance, ["Awa", " Issa  ", "Ali\n Bâ", ""]),
    commande: `f${place}-${between(chance, [1, 9999])}`,
    offre: `${between(chance, [5, 60])} % de remise`,
  };
  return { msisdn: written(chance, number), attributes };
}

/** Somebody takes the leave to send without a template while a batch waits that needs it, and gives it back. */
function drawLeave(scene: Scene): readonly Draft[] {
  const { seed, spanMs } = scene;
  const chance = forked(seed, "leave of whatsapp");
  const [of] = classesOf(scene).filter((each) => each !== "MARKETING");
  if (!happens(chance, 0.3) || of === undefined) return [];
  const atMs = Math.round(FIRST_MS + spanMs * 0.7 * chance.fraction());
  const change = (afterMs: number, direct_send: boolean): Draft => ({
    atMs: atMs + afterMs,
    kind: "settings",
    when: "now",
    changes: { "whatsapp.numbers.main.direct_send": direct_send },
  });
  const account = pick(chance, scene.accounts);
  const recipients = Array.from({ length: between(chance, [1, 4]) }, () =>
    drawRecipient(scene, chance, LEAVE_PLACE),
  );
  const waits: Draft = {
    atMs,
    kind: "submit",
    account: account.name,
    idempotencyKey: "leave",
    request: {
      sender: pick(chance, account.senders),
      body: BODIES[of],
      message_class: of,
      channel: "WHATSAPP",
      scheduledInMs: 60_000,
      recipients,
    },
    fates: [],
    tries: 9,
    afterwards: "nothing",
  };
  return [
    waits,
    change(between(chance, [20_000, 40_000]), false),
    change(between(chance, [70_000, 150_000]), true),
  ];
}

const LEAVE_PLACE = 99;
