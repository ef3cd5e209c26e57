/** What becomes of templates at Meta, and what of it the webhook is told. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { RecipientPlan, Step } from "../plan.ts";
import { pick } from "./draw.ts";
import { BODIES, classesOf } from "./draw-cloud-batches.ts";
import type { Scene, Undated } from "./draw-submission.ts";
import { FIRST_MS } from "./moments.ts";
import { anyOf } from "./numbers.ts";

type Draft = Undated<Step>;

const NAMES = ["code", "commande_prete", "offre"] as const;
/** What each may become. */
const OTHERS: Readonly<Record<(typeof NAMES)[number], readonly string[]>> = {
  code: ["MARKETING", "UTILITY"],
  commande_prete: ["MARKETING", "AUTHENTICATION"],
  offre: ["UTILITY", "AUTHENTICATION"],
};

export function drawTemplates({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "templates of the cloud");
  if (!happens(chance, 0.35)) return [];
  const name = pick(chance, NAMES);
  const status = oneOf<"PAUSED" | "DISABLED">(chance, ["PAUSED", "DISABLED"]);
  const atMs = Math.round(FIRST_MS + spanMs * chance.fraction());
  const forMs = between(chance, [10_000, 200_000]);
  return [{ atMs, kind: "template", name, status, forMs, isTold: happens(chance, 0.6) }];
}

/** Moves that are made, announced or not; one that never comes; what Meta thinks; prices of another category, and who looks at them. */
export function drawTold(scene: Scene): readonly Draft[] {
  return [
    ...drawMoves(scene),
    ...drawNotices(scene),
    ...drawQualities(scene),
    ...drawPrices(scene),
    ...drawAimed(scene),
  ];
}

const TEMPLATE_OF = { OTP: "code", TRANSACTIONAL: "commande_prete", MARKETING: "offre" } as const;

/** A template is stopped or moved, and that is told, some seconds before a batch of it leaves. */
function drawAimed(scene: Scene): readonly Draft[] {
  const { seed, spanMs, network, accounts } = scene;
  const own = forked(seed, "just before a batch");
  if (!happens(own, 0.4)) return [];
  const account = pick(own, accounts);
  const of = pick(own, classesOf(scene));
  const name = TEMPLATE_OF[of];
  const [sender = ""] = account.senders;
  const atMs = Math.round(FIRST_MS + spanMs * 0.7 * own.fraction());
  const scheduledInMs = 30_000;
  const recipients = Array.from({ length: between(own, [2, 6]) }, (_, place): RecipientPlan => {
    const attributes = {
      code: `${place}1234`,
      nom: "Awa",
      commande: `aimed-${place}`,
      offre: `aimed ${place}`,
    };
    return { msisdn: anyOf(own, network.prefixes), attributes };
  });
  const about = {
    atMs: atMs + scheduledInMs - between(own, [2500, 5000]),
    name,
    forMs: between(own, [20_000, 60_000]),
    isTold: true,
  };
  return [
    {
      atMs,
      kind: "submit",
      account: account.name,
      idempotencyKey: "aimed",
      request: {
        sender,
        body: BODIES[of],
        message_class: of,
        channel: "WHATSAPP",
        scheduledInMs,
        recipients,
      },
      fates: [],
      tries: 9,
      afterwards: "nothing",
    },
    happens(own, 0.5)
      ? { ...about, kind: "template", status: oneOf<"PAUSED" | "DISABLED">(own, ["PAUSED", "DISABLED"]) }
      : { ...about, kind: "template moves", category: pick(own, OTHERS[name]), noticeMs: null },
  ];
}

function drawMoves({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "moves of the cloud");
  return Array.from({ length: happens(chance, 0.35) ? between(chance, [1, 2]) : 0 }, (_, place): Draft => {
    const own = forked(seed, "move of the cloud", place);
    const name = pick(own, NAMES);
    return {
      atMs: Math.round(FIRST_MS + spanMs * own.fraction()),
      kind: "template moves",
      name,
      category: pick(own, OTHERS[name]),
      noticeMs: happens(own, 0.5) ? between(own, [5000, 90_000]) : null,
      forMs: between(own, [30_000, 300_000]),
      isTold: happens(own, 0.7),
    };
  });
}

function drawNotices({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "notices of the cloud");
  if (!happens(chance, 0.25)) return [];
  const atMs = Math.round(FIRST_MS + spanMs * chance.fraction());
  const name = pick(chance, NAMES);
  return [{ atMs, kind: "template notice", name, category: pick(chance, OTHERS[name]) }];
}

function drawQualities({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "qualities of the cloud");
  const count = happens(chance, 0.4) ? between(chance, [1, 3]) : 0;
  return Array.from({ length: count }, (_, place): readonly Draft[] => {
    const own = forked(seed, "quality of the cloud", place);
    const atMs = Math.round(FIRST_MS + spanMs * own.fraction());
    const quality: Draft = {
      atMs,
      kind: "template quality",
      name: pick(own, NAMES),
      quality: pick(own, ["GREEN", "YELLOW", "RED", "UNKNOWN"]),
      isTold: happens(own, 0.7),
    };
    const look: Draft = {
      atMs: atMs + between(own, [3000, 15_000]),
      kind: "command",
      name: "whatsapp template",
      args: { list: "list" },
    };
    return [quality, ...(happens(own, 0.7) ? [look] : [])];
  }).flat();
}

/** For a while everything is billed otherwise; later somebody lets templates go on, most of which had not stopped. */
function drawPrices({ seed, spanMs }: Scene): readonly Draft[] {
  const chance = forked(seed, "dear times of the cloud");
  if (!happens(chance, 0.3)) return [];
  const atMs = Math.round(FIRST_MS + spanMs * 0.7 * chance.fraction());
  const forMs = between(chance, [60_000, 240_000]);
  const releases = NAMES.flatMap((NAME): readonly Draft[] =>
    happens(chance, 0.5)
      ? [
          {
            atMs: atMs + between(chance, [30_000, 400_000]),
            kind: "command",
            name: "whatsapp release",
            args: { NAME, LANGUAGE: "fr" },
          },
        ]
      : [],
  );
  return [
    { atMs, kind: "cloud habits", habits: { misprice: 0.9 }, forMs },
    ...releases,
    ...drawTextReleases(chance, atMs),
  ];
}

/** The same of text without a template. */
function drawTextReleases(chance: Chance, atMs: number): readonly Draft[] {
  return ["OTP", "TRANSACTIONAL"].flatMap((LANGUAGE): readonly Draft[] =>
    happens(chance, 0.5)
      ? [
          {
            atMs: atMs + between(chance, [30_000, 400_000]),
            kind: "command",
            name: "whatsapp release",
            args: { NAME: "whatsapp:main", LANGUAGE },
          },
        ]
      : [],
  );
}
