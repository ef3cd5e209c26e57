import { createHmac } from "node:crypto";
import { doubtfulUrls, type Endpoint, endpointsOf } from "../endpoints.ts";
import { type Finding, finder } from "../finding.ts";
import type { History, SeenEvent } from "../history.ts";
import { canonical, canonicalMessage, type Json, member, text } from "../json.ts";
import { clockSetMs } from "../wall-clock.ts";

const found = finder(
  "events-true",
  "An event is signed with every secret that counts, goes to its own account's endpoint that asked for its type, keeps its id, and says what the feed says.",
);

/** Every event that a receiver saw is what it says, and for whom it was meant. */
export function eventsTrue(history: History): readonly Finding[] {
  const byUrl = Map.groupBy(endpointsOf(history), ({ url }) => url);
  const doubtful = doubtfulUrls(history);
  const final = finalViews(history);
  const setMs = clockSetMs(history);
  const subjects = new Map<string, string>();
  const ids = new Map<string, string>();
  return history.events.flatMap((event) => {
    const eventId = text(event.json, "event_id") ?? "";
    const why = [
      ...(doubtful.has(event.url) ? [] : wrongEndpoint(event, byUrl.get(event.url) ?? [], setMs)),
      ...wrongIds(event, subjects, ids),
      ...otherThanFeed(event, final),
    ];
    const type = text(event.json, "type") ?? "no event";
    return why.map((one) => found(event.atMs, `${type} ${eventId} to ${event.url}: ${one}`, eventId));
  });
}

function wrongEndpoint(event: SeenEvent, endpoints: readonly Endpoint[], setMs: number): string[] {
  const accountId = text(event.json, "account_id");
  const mine = endpoints.filter((endpoint) => endpoint.accountId === accountId);
  if (mine.length === 0) return [`account ${accountId} has no endpoint there`];
  const type = text(event.json, "type") ?? "";
  const asked = mine.filter(
    ({ events, mayHaveOtherEvents }) =>
      mayHaveOtherEvents || events.includes(type) || type === "WEBHOOK_TEST",
  );
  if (asked.length === 0) return ["nobody there asked for that type"];
  if (mine.some(({ mayHaveOtherSecret }) => mayHaveOtherSecret)) return [];
  const signatures = new Set((event.headers["webhook-signature"] ?? "").split(" "));
  if (!mine.some((endpoint) => isSigned(event, endpoint, setMs, signatures)))
    return ["no secret verifies it"];
  const [only] = mine;
  if (!only || mine.length > 1) return [];
  const missing = counting(only, event.atMs, setMs, true).filter(
    ({ secret }) => !signatures.has(signatureOf(event, secret)),
  );
  return missing.length === 0 ? [] : [`${missing.length} of the secrets that count do not verify it`];
}

function isSigned(
  event: SeenEvent,
  endpoint: Endpoint,
  setMs: number,
  signatures: ReadonlySet<string>,
): boolean {
  return counting(endpoint, event.atMs, setMs, false).some(({ secret }) =>
    signatures.has(signatureOf(event, secret)),
  );
}

/** An event is signed a moment before it is seen. */
const SIGNED_MS = 60_000;
const MAX_SIGNATURES = 5;

/** The secrets of an endpoint that count at a moment; a clock that was set by so much may have ended one sooner, or later. */
function counting({ secrets }: Endpoint, atMs: number, setMs: number, surely: boolean) {
  const counts = secrets.filter(({ fromMs, sureFromMs, untilMs }) =>
    surely
      ? sureFromMs <= atMs - SIGNED_MS && atMs + setMs < untilMs
      : fromMs <= atMs && atMs - SIGNED_MS - setMs < untilMs,
  );
  return surely ? counts.slice(-MAX_SIGNATURES) : counts;
}

/** As docs/behaviour.md#signature says. */
export function signatureOf({ headers, body }: Pick<SeenEvent, "headers" | "body">, secret: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

/** The same id for the same thing, on every retry, and for nothing else. */
function wrongIds(
  { json, headers }: SeenEvent,
  subjects: Map<string, string>,
  ids: Map<string, string>,
): string[] {
  const eventId = text(json, "event_id");
  if (eventId === null || eventId !== headers["webhook-id"]) return ["event_id is not webhook-id"];
  const type = text(json, "type") ?? "";
  const isMessage = type === "MESSAGE_TERMINAL";
  const about = `${type} ${text(json, "account_id")} ${isMessage ? canonicalMessage(member(json, "data")) : (text(json, "data", "batch_id") ?? eventId)}`;
  const before = subjects.get(eventId) ?? about;
  subjects.set(eventId, before);
  const wrong = before === about ? [] : ["its id was another event's before, or it says something else now"];
  const messageId = text(json, "data", "message_id");
  if (!isMessage || messageId === null) return wrong;
  const first = ids.get(messageId) ?? eventId;
  ids.set(messageId, first);
  return first === eventId ? wrong : [...wrong, `the same end was told as ${first}`];
}

function finalViews({ sightings }: History): ReadonlyMap<string, Json> {
  const views = sightings.messageViews.filter(({ isFinal }) => isFinal);
  return new Map(views.map(({ messageId, json }) => [messageId, json]));
}

function otherThanFeed({ json }: SeenEvent, final: ReadonlyMap<string, Json>): string[] {
  if (text(json, "type") !== "MESSAGE_TERMINAL") return [];
  const data = member(json, "data");
  if (member(data, "is_final") !== true) return ["its message is not final"];
  const view = final.get(text(data, "message_id") ?? "");
  if (view === undefined || canonicalMessage(view) === canonicalMessage(data)) return [];
  return [`the feed says ${canonical(view)}, and it says ${canonical(data)}`];
}
