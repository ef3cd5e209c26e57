/** Submissions: who is sent what, in which class, when, and how the request fares. */
import type { Chance } from "../../../src/core/chance.ts";
import type { RequestFate } from "../actors.ts";
import { between, forked, happens, oneOf } from "../chance.ts";
import type { AccountPlan, RecipientPlan, Step } from "../plan.ts";
import { pick, weighted } from "./draw.ts";
import { UNAPPROVED } from "./draw-accounts.ts";
import type { Network } from "./draw-document.ts";
import { FIRST_MS } from "./moments.ts";
import { badNumber, drawNumber, unroutable, written } from "./numbers.ts";
import type { Switches } from "./switches.ts";
import { drawName, drawText, tokenOf } from "./texts.ts";

/** A step before it has its place among the others. */
export type Undated<S = Step> = S extends Step ? Omit<S, "index"> : never;
export type SubmitDraft = Undated<Extract<Step, { readonly kind: "submit" }>>;

/** What submissions, deeds and troubles are drawn from. */
export type Scene = {
  readonly seed: number;
  readonly switches: Switches;
  readonly network: Network;
  readonly accounts: readonly AccountPlan[];
  /** When the last step is done, milliseconds. */
  readonly spanMs: number;
};

/** More recipients are screened in steps that are staged first. */
const STAGED = 251;
/** More are validated after the answer. */
const VALIDATED_LATER = 10_001;

/** Submissions of about so many recipients together, none above what `messages` leaves. */
export function drawSubmissions(scene: Scene, messages: number): readonly SubmitDraft[] {
  const drafts: SubmitDraft[] = [];
  const sizes = [...drawSizes(scene, messages), ...drawLongList(scene, messages)];
  for (const [place, size] of sizes.entries()) {
    const chance = forked(scene.seed, "submit", place);
    const earlier = pickEarlier(scene, chance, drafts);
    drafts.push(
      earlier
        ? repeated(scene, chance, place, earlier)
        : drawSubmission(scene, chance, place, size, size > messages),
    );
  }
  return drafts;
}

function drawSizes({ seed, switches }: Scene, messages: number): readonly number[] {
  const chance = forked(seed, "sizes");
  const sizes: number[] = [];
  let left = messages;
  if (switches("many") && messages > VALIDATED_LATER && happens(chance, 0.5)) {
    sizes.push(between(chance, [VALIDATED_LATER, Math.min(messages, VALIDATED_LATER + 600)]));
  }
  if (switches("staged") && messages >= STAGED) {
    sizes.push(between(chance, [STAGED, Math.max(STAGED, Math.min(900, Math.floor(messages / 2)))]));
  }
  left -= sizes.reduce((sum, size) => sum + size, 0);
  while (left > 0) {
    const size = weighted(chance, [
      [4, 1],
      [8, between(chance, [1, 20])],
      [1, between(chance, [21, 120])],
    ]);
    sizes.push(Math.min(size, left));
    left -= size;
  }
  return sizes;
}

/** A list of more than ten thousand that names the same few hundred people again and again; in few runs. */
function drawLongList({ seed, switches }: Scene, messages: number): readonly number[] {
  const chance = forked(seed, "long list");
  const isDrawn = happens(chance, 0.25);
  return switches("many") && messages >= 100 && isDrawn
    ? [VALIDATED_LATER + Math.floor(chance.fraction() * 500)]
    : [];
}

/** So many of a list that is validated later are different people, at most, unless the run is one of many messages. */
const MAX_OF_A_LONG_LIST = 300;

function drawSubmission(
  scene: Scene,
  chance: Chance,
  place: number,
  size: number,
  isLongList: boolean,
): SubmitDraft {
  const { switches } = scene;
  // Nobody poor pays for ten thousand.
  const rich = scene.accounts.filter(({ funds, creditLimit }) => funds + creditLimit > 1_000_000);
  const account = pick(chance, size < VALIDATED_LATER || rich.length === 0 ? scene.accounts : rich);
  const token = tokenOf(place);
  const isTagged = switches("tags") && happens(chance, 0.4);
  // A text that is nothing but its tag is blank for whoever has no value.
  const isBare = isTagged && happens(chance, 0.1);
  const tags = isTagged ? { token: isBare ? token : "" } : null;
  const recipients = drawRecipients(scene, chance, size, tags, isLongList ? MAX_OF_A_LONG_LIST : undefined);
  return {
    atMs: drawTime(chance, scene.spanMs),
    kind: "submit",
    account: account.name,
    idempotencyKey: drawKey(scene, chance, place),
    request: {
      sender: drawSender(scene, chance, account),
      body: isBare ? "{name}" : drawText(chance, switches, token, isTagged),
      message_class: pickClass(chance),
      ...(switches("schedules") && happens(chance, 0.25) && drawSchedule(chance)),
      recipients,
      ...(switches("tests") && happens(chance, 0.2) && { is_test: true }),
    },
    ...drawFates(switches, chance, size),
  };
}

function pickClass(chance: Chance) {
  return weighted<"OTP" | "TRANSACTIONAL" | "MARKETING">(chance, [
    [2, "OTP"],
    [5, "TRANSACTIONAL"],
    [4, "MARKETING"],
  ]);
}

/** In bursts more often than evenly. */
function drawTime(chance: Chance, spanMs: number): number {
  const evenly = chance.fraction() * 0.85;
  const inBurst = Math.floor(chance.fraction() * 4) / 4 + chance.fraction() * 0.01;
  return Math.round(FIRST_MS + spanMs * (happens(chance, 0.4) ? Math.min(inBurst, 0.85) : evenly));
}

function drawKey({ switches }: Scene, chance: Chance, place: number): string | null {
  const key = `key-${place}`;
  if (!switches("keys")) return key;
  return weighted<string | null>(chance, [
    [60, key],
    [1, null],
    [1, ""],
    [1, "k".repeat(256)],
    // A key that another batch has: the same body would be a repetition, this one is refused.
    [2, `key-${Math.max(0, place - 1)}`],
  ]);
}

function drawSender({ switches }: Scene, chance: Chance, { senders }: AccountPlan): string {
  const own = pick(chance, senders);
  if (!switches("refused requests")) return own;
  return weighted(chance, [
    [60, own],
    [1, UNAPPROVED],
    [1, "UNKNOWN"],
    [1, "S".repeat(33)],
  ]);
}

function drawSchedule(chance: Chance): { readonly scheduledInMs: number; readonly timezone?: string } {
  const scheduledInMs = weighted(chance, [
    [20, between(chance, [5, 240]) * 1000],
    [2, -between(chance, [1, 90]) * 60_000],
    [1, 370 * 86_400_000],
  ]);
  const timezone = oneOf(chance, ["Africa/Ouagadougou", "America/New_York", "Asia/Kathmandu"]);
  return { scheduledInMs, ...(happens(chance, 0.4) && { timezone }) };
}

function drawFates(
  switches: Switches,
  chance: Chance,
  size: number,
): Pick<SubmitDraft, "fates" | "tries" | "isDoubled" | "afterwards"> {
  const isHit = switches("fates") && happens(chance, 0.3);
  const fate = () =>
    weighted<RequestFate>(chance, [
      [2, "lost"],
      [4, "answer lost"],
      [2, "cut"],
      [2, "slow"],
      [1, "well"],
    ]);
  return {
    fates: isHit ? Array.from({ length: between(chance, [1, 3]) }, fate) : [],
    tries: between(chance, [3, 9]),
    ...(switches("fates") && happens(chance, size > 60 ? 0.4 : 0.06) && { isDoubled: true }),
    afterwards: weighted<SubmitDraft["afterwards"]>(chance, [
      [8, "nothing"],
      [switches("keys") ? 1 : 0, "repeat"],
      [switches("keys") ? 1 : 0, "another body"],
    ]),
  };
}

function drawRecipients(
  { seed, switches, network }: Scene,
  chance: Chance,
  size: number,
  tags: { readonly token: string } | null,
  most = Number.POSITIVE_INFINITY,
): readonly RecipientPlan[] {
  const recipients: RecipientPlan[] = [];
  const bad = switches("bad numbers") ? 0.04 : 0;
  for (let place = 0; place < size; place++) {
    const again = place >= most ? recipients[between(chance, [0, most - 1])] : undefined;
    if (again) {
      recipients.push(again);
      continue;
    }
    const good = drawNumber(chance, seed, network.prefixes, size);
    const before = recipients[between(chance, [0, Math.max(0, place - 1)])];
    const drawn = chance.fraction();
    const attributes = tags === null ? null : drawAttributes(chance, tags.token);
    const msisdn = (() => {
      if (drawn < bad) return badNumber(chance);
      if (switches("unroutable") && drawn > 0.97) return unroutable(chance);
      if (switches("duplicates") && before && drawn > 0.92 && drawn < 0.96) return before.msisdn;
      return written(chance, good);
    })();
    recipients.push({ msisdn, ...(attributes && { attributes }) });
  }
  return recipients;
}

/** With a token the value carries it, since nothing else of the text does. */
function drawAttributes(chance: Chance, token: string): RecipientPlan["attributes"] | null {
  if (happens(chance, 0.15)) return null;
  const name = drawName(chance);
  return { name: token === "" || name === null ? name : `${token} ${name}`, unused: 1 };
}

/** An earlier batch whose text is sent again, or none. */
function pickEarlier(
  { switches }: Scene,
  chance: Chance,
  drafts: readonly SubmitDraft[],
): SubmitDraft | null {
  if (!switches("repeated bodies") || drafts.length === 0 || !happens(chance, 0.12)) return null;
  return pick(chance, drafts);
}

/** The same text in another batch: to some of the same numbers, and to others. */
function repeated(scene: Scene, chance: Chance, place: number, earlier: SubmitDraft): SubmitDraft {
  const some = earlier.request.recipients.slice(0, 20).filter(() => happens(chance, 0.7));
  const hasTags = earlier.request.recipients.some(({ attributes }) => attributes !== undefined);
  const others = hasTags ? [] : drawRecipients(scene, chance, between(chance, [0, 4]), null);
  const recipients = [...some, ...others];
  return {
    ...earlier,
    atMs: Math.min(earlier.atMs + between(chance, [0, 120_000]), Math.round(FIRST_MS + scene.spanMs)),
    idempotencyKey: `key-${place}`,
    request: {
      ...earlier.request,
      recipients: recipients.length > 0 ? recipients : [...earlier.request.recipients].slice(0, 5),
    },
    ...drawFates(scene.switches, chance, recipients.length),
  };
}
