/** What clients are refused for: each code of the public API, faults of fields, and what the doors of Kannel and Jasmin answer. */
import { API, type ApiRequest } from "./requests.ts";

/** Codes that this play cannot meet, each with its reason. */
export const NOT_PLAYED: Readonly<Record<string, string>> = {
  INTERNAL_ERROR: "no request leads to it: it tells of a fault of the appliance itself",
};

const TEXT = { sender: "KIOSK", body: "Votre colis est là.", message_class: "TRANSACTIONAL" };
const ONE = [{ msisdn: "70555551" }];

/** A batch; `key` names whose it is, as `remembered` by the play. */
export function batchOf(key: string, idempotencyKey: string, body: unknown): ApiRequest {
  return {
    path: `${API}/batches`,
    method: "POST",
    headers: { "x-api-key": key, "idempotency-key": idempotencyKey },
    body,
  };
}

const quoted = (body: unknown): ApiRequest => ({ path: `${API}/batches/quote`, method: "POST", body });

/** Typed before anything is refused: accounts without money, and a key that may do little. */
export const PREPARED: readonly string[] = [
  "account create --name Kiosque --billing prepaid --short-name kiosque",
  "sender request kiosque KIOSK",
  "sender approve kiosque KIOSK",
  "account create --name Bureau --billing postpaid --credit-limit 10 --short-name bureau",
  "sender request bureau KIOSK",
  "sender approve bureau KIOSK",
];

/** A key or password that is drawn, and by which name requests know it. */
export const DRAWN: readonly { readonly as: string; readonly line: string; readonly field: string }[] = [
  { as: "$POOR", line: "key create kiosque --name poor --scopes all", field: "api_key" },
  { as: "$READER", line: "key create kiosque --name reader --scopes MESSAGES_READ", field: "api_key" },
  { as: "$LATE", line: "key create bureau --name late --scopes all", field: "api_key" },
  { as: "$OFTEN", line: "key create bureau --name often --scopes all", field: "api_key" },
  { as: "$POOR_PASSWORD", line: "compat create kiosque --user poor --sender KIOSK", field: "password" },
];

/** Codes that one request meets. */
export const REFUSED: readonly ApiRequest[] = [
  { path: `${API}/account/balance`, isAnonymous: true },
  { path: `${API}/account/balance`, headers: { "x-api-key": "$READER" } },
  { path: `${API}/nowhere` },
  { path: "/public/v2/batches" },
  { path: `${API}/account/balance?key=$POOR` },
  batchOf("$POOR", "poor", { ...TEXT, recipients: ONE }),
  batchOf("$LATE", "limit", { ...TEXT, recipients: ONE }),
  batchOf("$POOR", "unknown", { ...TEXT, sender: "NOBODY", recipients: ONE }),
  batchOf("$POOR", "", { ...TEXT, recipients: ONE }),
  batchOf("$POOR", "k".repeat(256), { ...TEXT, recipients: ONE }),
  { path: `${API}/batches`, method: "POST", body: { ...TEXT, recipients: ONE } },
  {
    path: `${API}/batches`,
    method: "POST",
    headers: { "x-api-key": "$POOR", "idempotency-key": "hops", "bendre-hops": "4" },
    body: { ...TEXT, recipients: ONE },
  },
  batchOf("$POOR", "empty", { ...TEXT, recipients: [] }),
  batchOf("$POOR", "blank", { ...TEXT, body: "  ", recipients: ONE }),
  batchOf("$POOR", "past", { ...TEXT, scheduled_at: "2020-01-01T00:00:00Z", recipients: ONE }),
  batchOf("$POOR", "time", { ...TEXT, scheduled_at: "soon", recipients: ONE }),
  batchOf("$POOR", "zone", {
    ...TEXT,
    scheduled_at: "2026-03-03T09:00:00",
    timezone: "Mars/Olympus",
    recipients: ONE,
  }),
  { path: `${API}/batches/$FIRST_BATCH/cancel`, method: "POST", body: { reason: "late" } },
  { path: `${API}/batches/$FIRST_BATCH`, headers: { "x-api-key": "$POOR" } },
];

/** Requests whose fields are faulty, and those whose head or text is. */
export const FAULTY: readonly ApiRequest[] = [
  quoted({}),
  quoted({
    sender: "x".repeat(33),
    body: 1,
    message_class: "SPAM",
    channel: "FAX",
    template: { name: 1 },
    fallback: { channel: "FAX", after_seconds: 1 },
    client_reference: "x".repeat(300),
    recipients: "70555551",
    scheduled_at: 1,
    timezone: "x".repeat(65),
    text_policy: "none",
    missing_attributes: "none",
    is_test: "no",
    scheduledAt: "now",
  }),
  quoted({ ...TEXT, recipients: [{}, { msisdn: 1 }, "70555551", { msisdn: "7".repeat(33) }] }),
  quoted({ ...TEXT, recipients: [{ msisdn: "70555551", attributes: { nom: {} } }] }),
  quoted({ ...TEXT, body: "x".repeat(4001), recipients: ONE }),
  quoted({ ...TEXT, fallback: { channel: "SMS", after_seconds: 60 }, recipients: ONE }),
  { path: `${API}/batches/quote`, method: "POST", text: '{"sender":"A","sender":"B"}' },
  { path: `${API}/batches/quote`, method: "POST", headers: { "content-encoding": "gzip" }, text: "{}" },
  { path: `${API}/batches/$FIRST_BATCH/cancel`, method: "POST", body: { reason: "" } },
  { path: `${API}/batches/$FIRST_BATCH/cancel`, method: "POST", body: { why: "late" } },
  { path: `${API}/messages?status_changed_since=yesterday` },
  { path: `${API}/messages?status_changed_since=2026-03-01T00:00:00Z&limit=0&batch_id=none&what=1` },
  { path: `${API}/batches?limit=0&before=none` },
  { path: `${API}/webhooks`, method: "POST", body: { url: 1, description: "x".repeat(256), events: "all" } },
  { path: `${API}/webhooks`, method: "POST", body: { url: "https://user:secret@example.bf/" } },
  { path: `${API}/webhooks`, method: "POST", body: {} },
];

const KANNEL = "/cgi-bin/sendsms";
const SHOP = "username=shop&password=$PASSWORD";
const POOR = "username=poor&password=$POOR_PASSWORD";
const SENT = `${SHOP}&from=PHARMA&to=70555552`;

const asked = (path: string): ApiRequest => ({ path, isAnonymous: true });
const posted = (path: string, type: string, text: string): ApiRequest => ({
  path,
  method: "POST",
  headers: { "content-type": type },
  text,
  isAnonymous: true,
});

/** Who asks, where the body is the text. */
const IN_HEADERS = {
  "x-kannel-username": "shop",
  "x-kannel-password": "$PASSWORD",
  "x-kannel-from": "PHARMA",
};

/** What Kannel's door refuses, in the order in which it looks. */
export const KANNEL_REFUSED: readonly ApiRequest[] = [
  { path: KANNEL, method: "DELETE", isAnonymous: true },
  posted(KANNEL, "application/json", "{}"),
  {
    ...posted(KANNEL, "text/html", "<p>"),
    headers: { "content-type": "text/html", ...IN_HEADERS, "x-kannel-to": "70555552" },
  },
  { ...posted(KANNEL, "text/plain", "Bonjour"), headers: { "content-type": "text/plain", ...IN_HEADERS } },
  posted(KANNEL, "text/xml", "<message>"),
  posted(`${KANNEL}?${SHOP}`, "application/x-www-form-urlencoded", "text=Bonjour"),
  asked(`${KANNEL}?username=nobody&password=none&to=70555552&text=a`),
  asked(`${KANNEL}?${SHOP}`),
  asked(`${KANNEL}?${SHOP}&to=+&text=a`),
  asked(`${KANNEL}?${SENT}&text=a&udh=%05`),
  asked(`${KANNEL}?${SHOP}&to=70555552&text=a`),
  asked(`${KANNEL}?${SHOP}&from=NOBODY&to=70555552&text=a`),
  asked(`${KANNEL}?${SENT}&text=a&account=%5B`),
  asked(`${KANNEL}?${SENT}&text=a&dlr-url=nowhere`),
  asked(`${KANNEL}?${SENT}&text=a&dlr-mask=99`),
  ...["mclass=0", "pid=1", "rpi=9", "alt-dcs=9", "mwi=1", "coding=1", "compress=1"].map((field) =>
    asked(`${KANNEL}?${SENT}&text=a&${field}`),
  ),
  ...["validity=-5", "deferred=-5", "priority=9", "deferred=99999999"].map((field) =>
    asked(`${KANNEL}?${SENT}&text=a&${field}`),
  ),
  asked(`${KANNEL}?${SENT}&text=a&charset=none`),
  asked(`${KANNEL}?${SENT}`),
  asked(`${KANNEL}?${SHOP}&from=PHARMA&to=1234&text=a`),
  asked(`${KANNEL}?${POOR}&to=70555552&text=a`),
];

/** What Jasmin's door refuses, in the order in which it looks. */
export const JASMIN_REFUSED: readonly ApiRequest[] = [
  { path: "/send", method: "DELETE", isAnonymous: true },
  posted("/send", "application/json", "["),
  asked("/send"),
  asked(`/send?${SHOP}&content=a`),
  asked(`/send?${SHOP}&to=abc&content=a`),
  asked(`/send?${SENT}&content=a&colour=red`),
  ...["coding=99", "priority=9", "validity-period=x", "tags=%21", "sdt=1", "dlr=maybe"].map((field) =>
    asked(`/send?${SENT}&content=a&${field}`),
  ),
  ...["dlr-url=nowhere", "dlr-url=https%3A%2F%2F", "dlr-level=9", "dlr-method=PUT"].map((field) =>
    asked(`/send?${SENT}&content=a&${field}`),
  ),
  asked("/send?username=nobody&password=none&to=70555552&content=a"),
  asked(`/send?${SENT}`),
  asked(`/send?${SENT}&content=a&hex-content=00`),
  asked(`/send?${SENT}&hex-content=xy`),
  asked(`/send?${SENT}&content=a&coding=9`),
  asked(`/send?${SENT}&content=a&sdt=261399000000000%2B`),
  asked(`/send?${SENT}&content=a&sdt=400101000000000%2B`),
  asked(`/send?${SHOP}&to=70555552&content=a`),
  asked(`/send?${SHOP}&from=NOBODY&to=70555552&content=a`),
  asked(`/send?${SENT}&content=+`),
  asked(`/send?${SHOP}&from=PHARMA&to=1234&content=a`),
  asked(`/send?${POOR}&to=70555552&content=a`),
  { path: "/rate", method: "DELETE", isAnonymous: true },
  asked(`/rate?${SHOP}`),
  asked(`/rate?${SHOP}&to=1234`),
  asked(`/rate?${SHOP}&to=70555552&hex-content=xy`),
  asked("/rate?username=nobody&password=none&to=70555552"),
  asked("/balance"),
  asked("/balance?username=nobody&password=none"),
  { path: "/ping", method: "POST", isAnonymous: true },
];

/** What all three ways in answer while nothing is taken. */
export const NOT_NOW: readonly ApiRequest[] = [
  {
    path: `${API}/batches`,
    method: "POST",
    headers: { "idempotency-key": "not now" },
    body: { ...TEXT, sender: "PHARMA", recipients: ONE },
  },
  {
    path: `${API}/batches/quote`,
    method: "POST",
    body: { ...TEXT, sender: "PHARMA", recipients: ONE },
  },
  asked(`${KANNEL}?${SENT}&text=not+now`),
  asked(`/send?${SENT}&content=not+now`),
];

/** A user's requests at these doors are limited as those of a key: one more than may be asked at once. */
export const TOO_OFTEN: readonly [kannel: ApiRequest, jasmin: ApiRequest] = [
  asked(`${KANNEL}?${SENT}`),
  asked(`/send?${SENT}`),
];
