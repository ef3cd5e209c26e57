/** Customers' SMPP users, the texts that their clients submit, and what happens to their connections. */
import type { Chance } from "../../../src/core/chance.ts";
import { between, forked, happens } from "../chance.ts";
import type { AccountPlan, Plan, SmppForm, SmppUserPlan } from "../plan.ts";
import { pick, rarely, shuffled, weighted } from "./draw.ts";
import { UNAPPROVED } from "./draw-accounts.ts";
import type { Scene, Undated } from "./draw-submission.ts";
import { FIRST_MS } from "./moments.ts";
import { unroutable } from "./numbers.ts";
import type { ClientAlphabet, SmppTextStep } from "./smpp-pdus.ts";

/** What the configuration says of the door. */
export function drawSmppDocument(seed: number): Plan["document"] {
  const chance = forked(seed, "smpp server");
  return {
    smpp_server: {
      listen: "127.0.0.1:2775",
      enquire_link_seconds: between(chance, [5, 30]),
      response_timeout_seconds: between(chance, [5, 30]),
      part_wait_seconds: between(chance, [120, 600]),
    },
  };
}

/** One to three users. */
export function drawSmppUsers(seed: number, accounts: readonly AccountPlan[]): readonly SmppUserPlan[] {
  const chance = forked(seed, "smpp users");
  return Array.from({ length: between(chance, [1, 3]) }, (_, place) =>
    drawUser(chance, pick(chance, accounts), place + 1),
  );
}

function drawUser(chance: Chance, account: AccountPlan, place: number): SmppUserPlan {
  const window = weighted(chance, [
    [1, 1],
    [2, between(chance, [2, 5])],
    [2, between(chance, [6, 20])],
  ]);
  return {
    systemId: `smpp${place}`,
    account: account.name,
    settings: {
      tls: "optional",
      networks: "any",
      sender: pick(chance, account.senders),
      "max-binds": "6",
      window: String(window),
      throughput: String(pick(chance, [2, 10, 50, 1000])),
      alphabet: pick<ClientAlphabet>(chance, ["gsm", "latin1", "ascii"]),
      ids: pick(chance, ["ulid", "decimal", "hex"]),
      "receipt-text": pick(chance, ["0", "20"]),
    },
    binds: weighted<SmppUserPlan["binds"]>(chance, [
      [3, ["transceiver"]],
      [3, ["transceiver", "transceiver"]],
      [2, ["transmitter", "receiver"]],
      [1, ["transmitter", "transmitter", "receiver"]],
    ]),
    window,
    habits: {
      answerMs: [0, between(chance, [0, 300])],
      silent: rarely(chance, 0.25),
      busy: rarely(chance, 0.25),
    },
  };
}

/** Texts of each user, and drops of its connections. */
export function drawSmppSteps(scene: Scene, users: readonly SmppUserPlan[]): readonly Undated[] {
  const { seed, spanMs } = scene;
  return users.flatMap((user) => {
    const chance = forked(seed, "smpp steps", user.systemId);
    const texts = Array.from({ length: between(chance, [5, 25]) }, (_, place) =>
      drawSmppText(scene, forked(seed, "smpp text", user.systemId, place), user, place),
    );
    const drops = Array.from({ length: between(chance, [0, 8]) }, (_, place): Undated => {
      const own = forked(seed, "smpp drop", user.systemId, place);
      const near = pick(own, texts);
      const isNear = happens(own, 0.7);
      return {
        kind: "smpp drop",
        atMs: isNear ? near.atMs : Math.round(FIRST_MS + spanMs * own.fraction()),
        user: user.systemId,
        how: pick(own, ["fin", "rst"] as const),
        afterOctets: happens(own, 0.2) ? 0 : between(own, [1, 400]),
        direction: pick(own, ["to client", "to appliance"] as const),
      };
    });
    return [...texts, ...drops];
  });
}

const WORDS = [
  "Votre colis est pret",
  "Bonjour",
  "Reunion a 15h",
  "Solde 500 F",
  "Merci de votre visite",
] as const;
/** Where parts are cut, in characters: of one octet, and of two. */
const PART = { narrow: 120, wide: 60 } as const;

function drawSmppText(
  { network, spanMs }: Scene,
  chance: Chance,
  user: SmppUserPlan,
  place: number,
): Undated<SmppTextStep> {
  const alphabet = (user.settings.alphabet ?? "gsm") as ClientAlphabet;
  const coding = weighted<SmppTextStep["coding"]>(chance, [
    [5, 0],
    [1, 1],
    [2, 3],
    [2, 8],
  ]);
  const form = weighted<SmppForm>(chance, [
    [4, "short"],
    [1, "payload"],
    [2, "header8"],
    [2, "header16"],
    [2, "sar"],
  ]);
  const isLong = form !== "short" && form !== "payload";
  const size = coding === 8 ? PART.wide : PART.narrow;
  const parts = isLong ? between(chance, [2, 4]) : 1;
  const token = `=${user.systemId} ${place.toString(36)}`;
  const accent = coding === 3 || (coding === 0 && alphabet !== "ascii") ? " é" : "";
  let text = `${token} ${pick(chance, WORDS)}${coding === 8 && happens(chance, 0.5) ? " 你好" : accent}`;
  const length = (parts - 1) * size + between(chance, [20, size]);
  while (isLong && text.length < length) text += ` ${token} ${pick(chance, WORDS)}`;
  if (isLong) text = text.slice(0, length).replace(/ $/, ".");
  const cuts = Array.from({ length: parts }, (_, part) => part * size);
  const places = cuts.map((_, part) => part);
  return {
    kind: "smpp text",
    atMs: Math.round(FIRST_MS + spanMs * 0.9 * chance.fraction()),
    user: user.systemId,
    sender: weighted(chance, [
      [20, user.settings.sender ?? ""],
      [4, ""],
      [1, UNAPPROVED],
    ]),
    to: happens(chance, 0.05) ? unroutable(chance) : ownNumber(chance, network.prefixes),
    text,
    coding,
    form,
    cuts,
    order: happens(chance, 0.5) ? places : shuffled(chance, places),
    reference: isLong ? between(chance, [1, 65_535]) : 0,
    registered: pick(chance, [0, 1, 1, 1, 2, 3] as const),
    againInMs: happens(chance, 0.2) ? between(chance, [0, 60_000]) : null,
  };
}

/** A number that nobody else writes to, of all that a run draws: so nearly never, that no seed was found. */
function ownNumber(chance: Chance, prefixes: readonly string[]): string {
  const prefix = pick(chance, prefixes);
  const rest = 11 - prefix.length;
  return `+${prefix}${String(between(chance, [0, 10 ** rest - 1])).padStart(rest, "0")}`;
}
