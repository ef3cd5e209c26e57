/** Requests of clients, in the order in which they are made: at least one for each answer and each refusal that clients can meet. */

/** Names such as `$PORT` and `$BATCH_ID` stand for what is known once the play runs: the last id of the field that an answer held. */
export type ApiRequest = {
  readonly path: string;
  readonly method?: "POST" | "DELETE" | "PATCH" | "PUT";
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Sent as it stands, in place of JSON. */
  readonly text?: string;
  /** No key is sent. */
  readonly isAnonymous?: true;
  /** What is written down in the place of a long body; its batch is validated before anything else is asked. */
  readonly told?: string;
  /** What the id of the batch or endpoint that it makes is called from then on, without its `$`. */
  readonly as?: string;
};

/** Where the API is. */
export const API = "/public/v1";
/** What endpoints are told of: all but what happens in every batch. */
const EVENTS = [
  "MESSAGE_TERMINAL",
  "BATCH_SETTLED",
  "BATCH_ACCEPTED",
  "BATCH_REJECTED",
  "BATCH_FAILED",
  "BATCH_CANCELLED",
  "WALLET_LOW",
];
const TEXT = { sender: "PHARMA", body: "Votre colis est là.", message_class: "TRANSACTIONAL" };
const to = (...numbers: readonly string[]) => numbers.map((msisdn) => ({ msisdn }));
/** So many are validated after the answer. */
const LARGE = 10_001;
const MANY = to("70111123", ...Array.from({ length: LARGE - 1 }, () => "1"));
const NOBODY = to(...Array.from({ length: LARGE }, () => "1"));
const DEAR = to(...Array.from({ length: LARGE }, (_, place) => `701${String(place).padStart(5, "0")}`));
const post = (body: unknown, key: string, as?: string): ApiRequest => ({
  path: `${API}/batches`,
  method: "POST",
  headers: { "idempotency-key": key },
  body,
  ...(as === undefined ? {} : { as }),
});
const quote = (body: unknown): ApiRequest => ({ path: `${API}/batches/quote`, method: "POST", body });

const KANNEL = "/cgi-bin/sendsms";
const SHOP = "username=shop&password=$PASSWORD";
const CALLBACK = "https%3A%2F%2Flocalhost%3A$PORT";

export const REQUESTS: readonly ApiRequest[] = [
  { path: `${API}/account/balance`, isAnonymous: true },
  { path: `${API}/account/balance`, isAnonymous: true, headers: { "x-api-key": "nothing" } },
  { path: `${API}/account/balance` },
  { path: `${API}/sender-ids` },
  { path: `${API}/templates` },
  { path: `${API}/nowhere` },
  { path: "/public/v2/account/balance" },
  { path: `${API}/account/balance`, method: "DELETE" },
  quote({ ...TEXT, recipients: to("70111111", "76111112", "1234") }),
  quote({ ...TEXT, body: "Bonjour {nom}, voici {montant} 🎉", recipients: to("70111111") }),
  quote({ ...TEXT, sender: "NOBODY", recipients: to("70111111") }),
  quote({ ...TEXT, message_class: "SPAM", recipients: to("70111111") }),
  quote({ ...TEXT, channel: "WHATSAPP", recipients: to("70111111") }),
  quote({ ...TEXT, recipients: [] }),
  quote({ ...TEXT, body: "", recipients: to("70111111") }),
  quote({ ...TEXT, misspelt: 1, recipients: to("70111111") }),
  quote([]),
  { path: `${API}/batches`, method: "POST", body: { ...TEXT, recipients: to("70111111") } },
  post(
    { ...TEXT, recipients: to("70111111", "70111111", "50111112", "abc", "+33612345678") },
    "mixed",
    "FIRST_BATCH",
  ),
  post({ ...TEXT, recipients: to("70111111", "70111111", "50111112", "abc", "+33612345678") }, "mixed"),
  post({ ...TEXT, recipients: to("70111112") }, "mixed"),
  post({ ...TEXT, body: "x".repeat(2000), recipients: to("70111113") }, "long"),
  post({ ...TEXT, recipients: to("1234") }, "nobody"),
  post({ ...TEXT, recipients: to("70111114"), scheduled_at: "2020-01-01T00:00:00Z" }, "past"),
  post({ ...TEXT, recipients: to("70111114"), scheduled_at: "2099-01-01T00:00:00Z" }, "far"),
  post({ ...TEXT, recipients: to("70111114"), scheduled_at: "2026-03-04T09:00:00Z" }, "planned", "PLANNED"),
  post({ ...TEXT, message_class: "MARKETING", recipients: to("70111115") }, "marketing"),
  post({ ...TEXT, sender: "PROMO", recipients: to("70111116") }, "unapproved"),
  post(
    {
      ...TEXT,
      body: "Bonjour {nom}",
      recipients: [{ msisdn: "70111117", attributes: { nom: "Awa" } }, { msisdn: "70111118" }],
      client_reference: "ref-1",
    },
    "attributes",
  ),
  { path: `${API}/batches`, method: "POST", headers: { "idempotency-key": "json" }, text: "{" },
  {
    path: `${API}/batches`,
    method: "POST",
    headers: { "idempotency-key": "form", "content-type": "text/plain" },
    text: "to=1",
  },
  { path: `${API}/batches` },
  { path: `${API}/batches?limit=501` },
  { path: `${API}/batches?status=NONE` },
  { path: `${API}/batches/$FIRST_BATCH` },
  { path: `${API}/batches/none` },
  { path: `${API}/batches/$PLANNED/cancel`, method: "POST", body: { reason: "weather" } },
  { path: `${API}/batches/$PLANNED/cancel`, method: "POST", body: { reason: "weather" } },
  { path: `${API}/messages?status_changed_since=2026-03-01T00:00:00Z&limit=3` },
  { path: `${API}/messages` },
  { path: `${API}/messages?status_changed_since=1999-01-01T00:00:00Z` },
  { path: `${API}/messages?cursor=none` },
  { path: `${API}/messages/none` },
  { path: `${API}/messages/$MESSAGE_ID` },
  { path: `${API}/webhooks`, method: "POST", body: { url: "http://example.com/" } },
  {
    path: `${API}/webhooks`,
    method: "POST",
    body: { url: "https://localhost:$PORT/hooks", events: ["none"] },
  },
  {
    path: `${API}/webhooks`,
    method: "POST",
    body: { url: "https://localhost:$PORT/hooks", events: EVENTS },
    as: "WEBHOOK",
  },
  { path: `${API}/webhooks` },
  { path: `${API}/webhooks/$WEBHOOK/test`, method: "POST" },
  { path: `${API}/webhooks/none/test`, method: "POST" },
  post({ ...TEXT, body: "Votre reçu est prêt.", recipients: to("70111121", "70099005") }, "told"),
  post(
    { ...TEXT, recipients: to("70111122"), scheduled_at: "2026-03-04T10:00:00Z" },
    "planned again",
    "NEXT",
  ),
  { path: `${API}/batches/$NEXT/cancel`, method: "POST", body: { reason: "weather" } },
  { ...post({ ...TEXT, recipients: MANY }, "many"), told: "10001 recipients, of whom one can be sent to" },
  {
    ...post({ ...TEXT, recipients: NOBODY }, "nobody of many"),
    told: "10001 recipients, none to be sent to",
  },
  {
    ...post({ ...TEXT, body: "x".repeat(3200), recipients: DEAR }, "dear"),
    told: "10001 recipients that cost too much",
  },
  { path: `${KANNEL}?username=none&password=none&to=70111131&text=Bonjour`, isAnonymous: true },
  { path: `${KANNEL}?${SHOP}&to=70111131&text=Bonjour`, isAnonymous: true },
  {
    path: `${KANNEL}?${SHOP}&from=PHARMA&to=70111131&text=Bonjour&dlr-mask=31&dlr-url=${CALLBACK}%2Fdlr%3Fs%3D%25d%26i%3D%25I%26p%3D%25p%26a%3D%25A`,
    isAnonymous: true,
  },
  {
    path: `${KANNEL}?${SHOP}&from=PHARMA&to=70111133+70099005+1234&text=Salut&dlr-mask=31&dlr-url=${CALLBACK}%2Fmany%3Fs%3D%25d%26p%3D%25p`,
    isAnonymous: true,
  },
  { path: `${KANNEL}?${SHOP}&from=PHARMA&to=1234&text=Bonjour`, isAnonymous: true },
  {
    path: "/send?username=shop&password=none&to=70111132&content=Bonsoir",
    isAnonymous: true,
  },
  { path: `/send?${SHOP}&to=70111132&content=Bonsoir`, isAnonymous: true },
  {
    path: `/send?${SHOP}&from=PHARMA&to=70111132&content=Bonsoir&dlr=yes&dlr-level=3&dlr-method=POST&dlr-url=${CALLBACK}%2Fjasmin`,
    isAnonymous: true,
  },
  {
    path: `/send?${SHOP}&from=PHARMA&to=70111134&content=Bonsoir+encore&dlr=yes&dlr-level=3&dlr-method=GET&dlr-url=${CALLBACK}%2Fjasmin-get`,
    isAnonymous: true,
  },
  { path: `/send?${SHOP}&from=PHARMA&to=1234&content=Bonsoir`, isAnonymous: true },
  { path: `/rate?${SHOP}&to=70111132&content=Bonsoir`, isAnonymous: true },
  { path: `/balance?${SHOP}`, isAnonymous: true },
  { path: "/ping", isAnonymous: true },
];
