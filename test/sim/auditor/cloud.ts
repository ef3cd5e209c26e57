/**
 * What went over Meta's Cloud API, put together: each post with its answer, whose message it is of, and what the webhook told of it.
 * A rule asks here and reads no body itself.
 */
import type { ExpectedBatch, ExpectedMessage } from "./expected.ts";
import { finalStateOf } from "./final-states.ts";
import type { History } from "./history.ts";
import { list, member, number, parseJson, text } from "./json.ts";
import { once } from "./once.ts";
import { wiresOf } from "./wires.ts";

/** A post of a message, as the Cloud API saw it. */
export type Post = {
  readonly id: number;
  readonly atMs: number;
  readonly phone: string;
  readonly token: string;
  readonly to: string;
  /** Whose it says that it is, and the how manieth; null where it says nothing that can be read. */
  readonly messageId: string | null;
  readonly n: number;
  /** As the user would read it; null where Meta could not read it. */
  readonly text: string | null;
  readonly category: string | null;
  /** The name of its template; null: it has none. */
  readonly template: string | null;
  /** Of text without a template: how long Meta tries, in seconds. */
  readonly ttlSeconds: number | null;
  readonly answer: number | "broken" | "silent" | null;
  readonly code: number | null;
  /** When the answer was in the hands of the appliance; null: never. */
  readonly heardAtMs: number | null;
  /** Meta's id; null: it was not taken. */
  readonly wamid: string | null;
  readonly isBillable: boolean;
  readonly life: number | null;
  /** What the webhook told of it, in the order in which it was told. */
  readonly told: readonly ToldStatus[];
};

export type ToldStatus = {
  readonly wamid: string;
  readonly status: string;
  readonly code: number | null;
  /** What it was billed as, in lower case. */
  readonly category: string | null;
  readonly hasOpaque: boolean;
  readonly atMs: number;
  /** When a call that brought it was answered with 200; null: never. */
  readonly takenAtMs: number | null;
};

export type CloudSeen = {
  /** In the order they came in. */
  readonly posts: readonly Post[];
  /** By the ids of messages. */
  readonly byMessage: ReadonlyMap<string, readonly Post[]>;
};

/** The Cloud API of a history, put together once. */
export const cloudOf = once((history): CloudSeen => {
  const told = Map.groupBy(statusesOf(history), ({ wamid }) => wamid);
  const posts = postsOf(history, (wamid) => told.get(wamid) ?? []);
  const byMessage = Map.groupBy(
    posts.filter(({ messageId }) => messageId !== null),
    ({ messageId }) => messageId ?? "",
  );
  return { posts, byMessage };
});

/** The posts of a message that somebody was shown; null for one that nobody was. */
export function postsFor(history: History, message: ExpectedMessage): readonly Post[] | null {
  const state = finalStateOf(history, message);
  return state === null ? null : (cloudOf(history).byMessage.get(state.messageId) ?? []);
}

/** The messages that go by WhatsApp, of batches that exist. */
export const cloudMessages = once(
  (history): readonly { readonly batch: ExpectedBatch; readonly message: ExpectedMessage }[] =>
    history.batches.flatMap((batch) =>
      batch.batchId === null || batch.body.request.channel !== "WHATSAPP"
        ? []
        : batch.messages.map((message) => ({ batch, message })),
    ),
);

/** What a delivered message of WhatsApp may cost: its price, or nothing where Meta bills nobody. */
export function billed(history: History, message: ExpectedMessage, whole: number): readonly number[] {
  const delivered = (postsFor(history, message) ?? []).filter(({ told }) => told.some(isDelivery));
  const last = delivered.at(-1);
  if (last === undefined) return [whole, 0];
  return [last.isBillable ? whole : 0];
}

export function isDelivery({ status }: Pick<ToldStatus, "status">): boolean {
  return status === "delivered" || status === "read";
}

/** What Meta's codes lead to (docs/behaviour.md#codes-of-whatsapp). */
const AGAIN: readonly number[] = [130429, 131057, 80007, 4, 131056];
const STOPS: readonly number[] = [
  ...[190, 0, 3, 10, 102, 131005],
  ...[33, 803, 133006, 133010, 131037, 131045],
  ...[131042, 131048, 368, 131031],
];
const UNSURE: readonly number[] = [1, 2, 131000, 131016];

export type Meaning = "again" | "stop" | "doubt" | "final";

/** What a code means; `httpStatus` of an answer, null of a status. */
export function meaningOf(code: number | null, httpStatus: number | null): Meaning {
  if (code !== null && AGAIN.includes(code)) return "again";
  if (code !== null && (STOPS.includes(code) || (code >= 200 && code <= 299))) return "stop";
  if (httpStatus === null) return "final";
  if (code !== null && UNSURE.includes(code)) return "doubt";
  if (httpStatus === 429) return "again";
  if (httpStatus === 401) return "stop";
  return httpStatus === 408 || httpStatus >= 500 ? "doubt" : "final";
}

/** When Meta had surely said that a post did not go out and that it may be made again; null: it never did. */
export function sentBackAtMs({ answer, code, heardAtMs, told }: Post): number | null {
  const isSentBack = (meaning: Meaning) => meaning === "again" || meaning === "stop";
  const byAnswer =
    heardAtMs !== null && typeof answer === "number" && answer >= 300 && isSentBack(meaningOf(code, answer))
      ? [heardAtMs]
      : [];
  const byStatus = told.flatMap((each) =>
    each.status === "failed" && isSentBack(meaningOf(each.code, null)) ? [each.atMs] : [],
  );
  const all = [...byAnswer, ...byStatus];
  return all.length === 0 ? null : Math.min(...all);
}

/** What calls told, forged ones apart: each status once, from the first call that brought it. */
function statusesOf({ observations }: History): readonly ToldStatus[] {
  const taken = new Map<number, number>();
  for (const seen of observations) {
    if (seen.kind === "call answer" && seen.status === 200) taken.set(seen.id, seen.atMs);
  }
  const statuses = new Map<string, ToldStatus>();
  for (const seen of observations) {
    if (seen.kind !== "call" || seen.isForged) continue;
    for (const told of statusesIn(seen.body)) {
      const wamid = text(told, "id") ?? "";
      const status = text(told, "status") ?? "";
      const key = `${wamid} ${status}`;
      const known = statuses.get(key);
      const takenAtMs = known?.takenAtMs ?? taken.get(seen.id) ?? null;
      const hasOpaque = (known?.hasOpaque ?? false) || text(told, "biz_opaque_callback_data") !== null;
      const code = number(list(told, "errors")[0], "code");
      const category = text(told, "pricing", "category");
      const atMs = known?.atMs ?? seen.atMs;
      statuses.set(key, { wamid, status, code, category, hasOpaque, atMs, takenAtMs });
    }
  }
  return [...statuses.values()];
}

function statusesIn(body: string): readonly unknown[] {
  return list(parseJson(body), "entry").flatMap((entry) =>
    list(entry, "changes").flatMap((change) => list(member(change, "value"), "statuses")),
  );
}

function postsOf(history: History, toldOf: (wamid: string) => readonly ToldStatus[]): readonly Post[] {
  const answers = new Map<number, Extract<History["observations"][number], { kind: "post answer" }>>();
  const heard = new Map<number, number>();
  for (const seen of history.observations) {
    if (seen.kind === "post answer") answers.set(seen.id, seen);
    if (seen.kind === "post heard") heard.set(seen.id, seen.atMs);
  }
  return history.observations.flatMap((seen): readonly Post[] => {
    if (seen.kind !== "post") return [];
    const { id, atMs, phone, token, category } = seen;
    const body = parseJson(seen.body);
    const opaque = text(body, "biz_opaque_callback_data") ?? "";
    const [, messageId = null, n = "0"] = /^([0-9A-Z]{26})\.(\d+)$/.exec(opaque) ?? [];
    const said = answers.get(id);
    const wamid = said?.wamid ?? null;
    return [
      {
        id,
        atMs,
        phone,
        token,
        category,
        messageId,
        n: Number(n),
        wamid,
        to: text(body, "to") ?? "",
        text: seen.text,
        template: text(body, "template", "name"),
        ttlSeconds: number(body, "ttl_seconds"),
        answer: said?.answer ?? null,
        code: said?.code ?? null,
        heardAtMs: heard.get(id) ?? null,
        isBillable: said?.isBillable ?? true,
        life: wiresOf(history).lifeAt(atMs)?.life ?? null,
        told: wamid === null ? [] : toldOf(wamid),
      },
    ];
  });
}

/** From what is known until what was claimed before has left; on a machine that is busy, or whose disk takes nothing, it takes longer. */
const CLAIMED_MS = 2_000;
const SLOWLY_MS = 10_000;

export const claimedMs = once(({ observations }) =>
  observations.some(
    (seen) =>
      (seen.kind === "machine" && seen.state === "busy") || (seen.kind === "disk" && seen.state !== "well"),
  )
    ? SLOWLY_MS
    : CLAIMED_MS,
);
