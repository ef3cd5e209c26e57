/** Batches and messages as anybody saw them: in answers to fetches and in pages of the feed, in the order they were seen. */
import type { Account } from "./accounts.ts";
import { type Commanded, cancelledBy, type Exchange } from "./exchanges.ts";
import { type Json, list, member, number, text } from "./json.ts";

/** A recipient that was rejected. */
export type Rejected = { readonly index: number; readonly msisdn: string | null; readonly reason: string };

export type SeenBatch = {
  readonly batchId: string;
  readonly account: string;
  readonly sender: string | null;
  readonly messageClass: string | null;
  /** Accepted and rejected together, once both are known. */
  readonly recipients: number | null;
  /** Numbers by their places, as rows of the feed showed them. */
  readonly numbers: ReadonlyMap<number, string>;
};

/** A batch as one fetch, or one line of a list, showed it. */
export type BatchView = {
  readonly batchId: string;
  readonly account: string;
  /** A fetch by its owner, or an administrator's. */
  readonly by: "client" | "administrator";
  readonly askedAtMs: number;
  readonly atMs: number;
  readonly status: string;
  readonly accepted: number;
  readonly rejected: number;
  readonly counts: Readonly<Record<string, number>>;
  /** The whole object. */
  readonly json: Json;
};

/** A message as one row of the feed, or one fetch of it, showed it. */
export type MessageView = {
  readonly messageId: string;
  readonly batchId: string;
  readonly index: number;
  readonly account: string;
  /** The request that showed it. */
  readonly exchange: Exchange;
  readonly atMs: number;
  readonly status: string;
  readonly isFinal: boolean;
  readonly json: Json;
};

export type Sightings = {
  readonly batches: ReadonlyMap<string, SeenBatch>;
  readonly rejections: ReadonlyMap<string, ReadonlyMap<number, Rejected>>;
  readonly batchViews: readonly BatchView[];
  readonly messageViews: readonly MessageView[];
};

/** All that was seen of batches and messages. */
export function sightingsOf(
  exchanges: readonly Exchange[],
  commands: readonly Commanded[],
  accounts: ReadonlyMap<string, Account>,
): Sightings {
  const batchViews = [
    ...exchanges.flatMap(fetchedBatch),
    ...commands.flatMap((command) => administratedBatches(command, accounts)),
  ].sort((a, b) => a.atMs - b.atMs);
  const sameRow = sharedRows();
  const messageViews = exchanges
    .flatMap((exchange) => messagesOf(exchange, sameRow))
    .sort((a, b) => a.atMs - b.atMs);
  const rejections = new Map<string, ReadonlyMap<number, Rejected>>();
  for (const { batchId, json, accepted, rejected } of batchViews) {
    // Where all figures are zero nothing was judged: not yet, or it never will be.
    if (accepted + rejected > 0 && Array.isArray(member(json, "rejections")))
      rejections.set(batchId, readRejections({ data: json }));
  }
  return { batches: seenBatches(batchViews, messageViews), rejections, batchViews, messageViews };
}

function fetchedBatch(exchange: Exchange): readonly BatchView[] {
  const { method, path, answer, askedAtMs, client } = exchange;
  const isFetch = method === "GET" && answer?.status === 200 && /^\/public\/v1\/batches\/[^/]+$/.test(path);
  if (answer?.status === 200 && method === "GET" && path === "/public/v1/batches") {
    return list(answer.json, "data", "batches").flatMap((row) =>
      batchView(row, client, "client", askedAtMs, answer.atMs),
    );
  }
  if (answer === null || !(isFetch || cancelledBy(exchange) !== null)) return [];
  return batchView(member(answer.json, "data"), client, "client", askedAtMs, answer.atMs);
}

function administratedBatches(
  { name, args, outcome, askedAtMs, endedAtMs }: Commanded,
  accounts: ReadonlyMap<string, Account>,
): readonly BatchView[] {
  if (!outcome?.ok || endedAtMs === null) return [];
  const rows =
    name === "batch list"
      ? list(outcome.data, "batches")
      : name === "batch show" || name === "batch cancel"
        ? [outcome.data]
        : [];
  const accountId = text(outcome.data, "account_id");
  const account = [...accounts.values()].find(
    (each) => each.accountId === accountId || each.name === args.ACCOUNT,
  );
  return rows.flatMap((row) => batchView(row, account?.name ?? "", "administrator", askedAtMs, endedAtMs));
}

function batchView(
  json: Json,
  account: string,
  by: BatchView["by"],
  askedAtMs: number,
  atMs: number,
): readonly BatchView[] {
  const batchId = text(json, "batch_id");
  if (batchId === null) return [];
  const counts = Object.fromEntries(
    Object.entries(member(json, "counts") ?? {}).filter(([, value]) => typeof value === "number"),
  ) as Record<string, number>;
  const accepted = number(json, "accepted") ?? 0;
  const rejected = number(json, "rejected") ?? 0;
  const status = text(json, "status") ?? "";
  return [{ batchId, account, by, askedAtMs, atMs, status, accepted, rejected, counts, json }];
}

/** Rows that say the same of a message are one value: each is shown again and again, and a long run has many. */
function sharedRows(): (messageId: string, row: Json) => Json {
  const known = new Map<string, Json[]>();
  return (messageId, row) => {
    const rows = known.get(messageId);
    const same = rows?.findLast((each) => Bun.deepEquals(each, row, true));
    if (same !== undefined) return same;
    if (rows) rows.push(row);
    else known.set(messageId, [row]);
    return row;
  };
}

function messagesOf(exchange: Exchange, sameRow: ReturnType<typeof sharedRows>): readonly MessageView[] {
  const { method, path, answer, client } = exchange;
  if (method !== "GET" || answer?.status !== 200) return [];
  const data = member(answer.json, "data");
  const rows =
    path === "/public/v1/messages"
      ? list(data, "messages")
      : path.startsWith("/public/v1/messages/")
        ? [data]
        : [];
  return rows.flatMap((row) => {
    const shown = text(row, "message_id");
    if (shown === null || text(row, "batch_id") === null) return [];
    const json = sameRow(shown, row);
    // Of the row that is kept, so that no other of the same words is.
    const [messageId, batchId] = [text(json, "message_id") ?? "", text(json, "batch_id") ?? ""];
    const index = number(json, "index") ?? -1;
    const status = text(json, "status") ?? "";
    const isFinal = member(json, "is_final") === true;
    return [
      { messageId, batchId, index, account: client, exchange, atMs: answer.atMs, status, isFinal, json },
    ];
  });
}

function seenBatches(
  batchViews: readonly BatchView[],
  messageViews: readonly MessageView[],
): ReadonlyMap<string, SeenBatch> {
  const numbers = new Map<string, Map<number, string>>();
  for (const { batchId, index, json } of messageViews) {
    const msisdn = text(json, "msisdn");
    const known = numbers.get(batchId) ?? new Map<number, string>();
    if (msisdn !== null) known.set(index, msisdn);
    numbers.set(batchId, known);
  }
  const seen = new Map<string, SeenBatch>();
  const none: ReadonlyMap<number, string> = new Map();
  for (const { batchId, account, json } of messageViews) {
    const [sender, messageClass] = [text(json, "sender"), text(json, "message_class")];
    seen.set(batchId, {
      batchId,
      account,
      sender,
      messageClass,
      recipients: null,
      numbers: numbers.get(batchId) ?? none,
    });
  }
  for (const { batchId, account, json, status, accepted, rejected } of batchViews) {
    // Of one that is not validated, or failed at that, nothing is counted.
    const recipients = status === "VALIDATING" || status === "FAILED" ? null : accepted + rejected;
    const [sender, messageClass] = [text(json, "sender"), text(json, "message_class")];
    seen.set(batchId, {
      batchId,
      account,
      sender,
      messageClass,
      recipients,
      numbers: numbers.get(batchId) ?? none,
    });
  }
  return seen;
}

/** The rejections of an answer, by their places. */
export function readRejections(json: unknown): ReadonlyMap<number, Rejected> {
  return new Map(
    list(member(json, "data"), "rejections").map((rejection) => {
      const index = number(rejection, "index") ?? -1;
      return [
        index,
        { index, msisdn: text(rejection, "msisdn"), reason: text(rejection, "reason_code") ?? "" },
      ];
    }),
  );
}
