import { ok, strictEqual } from "node:assert";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { createHealth } from "../../../src/core/health.ts";
import { startThread } from "../../../src/core/thread.ts";
import { keyUses } from "../../../src/domain/accounts/api-keys.ts";
import { publicApi } from "../../../src/ingress/api/public-api.ts";
import { FAILURES } from "../../../src/ingress/http/error-codes.ts";
import { createRequestHandler, type Server } from "../../../src/ingress/http/router.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type HttpFixture, httpFixture, submission, submitTo } from "../../ingress/api/fixture.ts";
import { testLog } from "../../kit/test-log.ts";
import type { Dice } from "../dice.ts";
import { changedJson } from "../json-tree.ts";
import { restorer } from "../restore.ts";
import { kindOf, octetsOf, type Target, type Trial, textOf } from "../target.ts";

/** A text that no answer that says no and no line of the log repeats. */
const CANARY = "zq7canary";
const OTHERS_SENDER = "OTHERCO";
const PATHS = [
  ...[
    "/public/v1/batches",
    "/public/v1/batches/{batch}",
    "/public/v1/batches/{theirs}",
    "/public/v1/messages",
    "/health",
  ],
  ...[
    "/public/v1/messages/{message}",
    "/public/v1/messages?status_changed_since=2026-03-01T09:30:00Z",
    "/docs",
    "/openapi.json",
  ],
  ...[
    "/public/v1/account/balance",
    "/public/v1/sender-ids",
    "/public/v1/webhooks",
    "/public/v1/webhooks/{webhook}/rotate",
  ],
  ...[
    "/public/v1/webhooks/{webhook}/disable",
    "/public/v1/webhooks/{webhook}/enable",
    "/health/live",
    "/health/ready",
    "/docs/errors",
  ],
  ...[
    "/public/v2/batches",
    "/public",
    "/",
    "//",
    "/public/v1/",
    "/docs/../public/v1/batches",
    "/%70ublic/v1/batches",
  ],
];
const HEADS = [
  ...[
    "authorization: Bearer {key}",
    "authorization: bearer {key}",
    "x-api-key: {key}",
    "x-api-key: {reader}",
    "x-api-key: {other}",
  ],
  ...[
    "authorization: Basic e30=",
    `authorization: Bearer ${CANARY}`,
    "content-type: application/json",
    "content-type: text/plain",
  ],
  ...[
    "content-type: application/json; charset=utf-8",
    "content-encoding: gzip",
    "content-length: 5",
    "content-length: 99999999",
  ],
  ...[
    "idempotency-key: k1",
    `idempotency-key: ${CANARY}`,
    "idempotency-key: used",
    "x-request-id: mine-1",
    "x-request-id: a b",
  ],
  ...[
    "host: shop.example",
    "host: a, b",
    "x-forwarded-for: 10.0.0.1",
    "transfer-encoding: chunked",
    "expect: 100-continue",
  ],
];
const BODY_WORDS = [
  ...[
    "sender",
    "body",
    "message_class",
    "recipients",
    "msisdn",
    "attributes",
    "scheduled_at",
    "timezone",
    "ACME",
    OTHERS_SENDER,
  ],
  ...[
    "70123456",
    "TRANSACTIONAL",
    "OTP",
    "MARKETING",
    "2026-03-03T09:00:00Z",
    "UTC",
    "url",
    "events",
    CANARY,
    "https://shop.example/",
  ],
];
const METHODS = ["GET", "POST", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"];

/** An input is a request as HTTP/1.1 writes it, without the version; `{key}` and the like stand for what is known at the start. */
export const door: Target = {
  name: "door",
  promise:
    "any request is answered as documented, never with a failure of ours, and repeats no secret and nobody else's words",
  form: "text",
  words: [
    ...PATHS,
    ...HEADS,
    ...BODY_WORDS,
    ...METHODS,
    "\n",
    "\n\n",
    "limit=1",
    "&",
    "?",
    "batch_id={batch}",
    "=",
    "status_changed_since=",
  ],
  longest: 4096,
  isPumped: false,
  draw: (rolls) => octetsOf(drawn(rolls)),
  change: changedParts,
  open,
};

async function open(): Promise<Trial> {
  const fixture = await httpFixture({ api: { burst: 1_000_000 } });
  const own = await fixture.tenant();
  const other = await fixture.tenant();
  await fixture.store.write((tx) => {
    tx.run("UPDATE senders SET name = ? WHERE account_id = ?", OTHERS_SENDER, other.accountId);
  });
  const reader = await fixture.key(own.accountId, ["MESSAGES_READ"]);
  const batch = await idOf(fixture, own, "used", submission());
  const theirs = await idOf(fixture, other, "used", submission({ sender: OTHERS_SENDER }));
  const message = fixture.store.read.get<{ ulid: string }>("SELECT ulid FROM messages")?.ulid ?? "";
  const made = await fixture.services.webhooks.create(
    { accountId: own.accountId, actor: "test" },
    { url: "https://shop.example/", description: "", events: ["BATCH_SETTLED"] },
  );
  ok(made.ok);
  const webhook = (made.value as { readonly webhook_id?: string }).webhook_id ?? "";
  const names = {
    key: own.apiKey,
    reader: reader.apiKey,
    other: other.apiKey,
    batch,
    theirs,
    message,
    webhook,
  };
  const log = testLog();
  const api = publicApi(depsOf(fixture, log));
  const answer = createRequestHandler(api.sets);
  const here = { requestIP: () => ({ address: "10.0.0.9", port: 1, family: "IPv4" }) } as unknown as Server;
  const restore = restorer(fixture.store);
  return {
    run: async (input) => {
      const text = textOf(input).replace(
        /\{(\w+)\}/g,
        (whole, name: string) => names[name as keyof typeof names] ?? whole,
      );
      const request = requestOf(text);
      if (request === null) return "no request";
      log.lines.length = 0;
      const response = await answer(request, here);
      const outcome = await judged(text, request, response, Object.values(names).slice(0, 3));
      const told = JSON.stringify(log.lines);
      ok(
        log.lines.every(({ level }) => level !== "error"),
        told,
      );
      for (const key of [names.key, names.reader, names.other])
        ok(!told.includes(key), "a key is never logged");
      if (!/x-request-id/i.test(text) && !request.method.toLowerCase().includes(CANARY))
        ok(!told.includes(CANARY), told);
      await restore();
      return outcome;
    },
    close: async () => {
      api.stop();
      await fixture.close();
    },
  };
}

function depsOf(fixture: HttpFixture, log: ReturnType<typeof testLog>): Parameters<typeof publicApi>[0] {
  const { store, newId, ready: readiness, services } = fixture;
  let steadyMs = 0;
  // Every look at the clock is a millisecond later, so that the limit of requests is never reached.
  const clock = { ...fixture.clock, steadyMs: () => ++steadyMs };
  const operators = { orange: operator({ prefixes: ["22670"], price: 15 }) };
  const settings = settingsHolder(
    configOf(document({ api: { requests_per_second: 100_000, burst: 1_000_000 }, operators })),
  );
  const health = createHealth(clock, readiness, []);
  return { keyUses: keyUses(), settings, clock, log, newId, store, readiness, health, services, startThread };
}

async function idOf(
  fixture: HttpFixture,
  tenant: Parameters<typeof submitTo>[1],
  key: string,
  body: unknown,
): Promise<string> {
  const response = await submitTo(fixture, tenant, key, body);
  const { data } = (await response.json()) as { data?: { batch_id?: string } };
  ok(data?.batch_id);
  return data.batch_id;
}

/** The request that a text is; null where none can be made of it, or none could come over a wire. */
function requestOf(text: string): Request | null {
  const [head = "", ...rest] = text.split("\n\n");
  const [line = "", ...fields] = head.split("\n");
  const [method = "", path = "/"] = line.split(" ");
  const headers = new Headers();
  for (const field of fields) {
    const at = field.indexOf(":");
    try {
      if (at > 0) headers.append(field.slice(0, at).trim(), field.slice(at + 1).trim());
    } catch {
      // No header that could come over a wire.
    }
  }
  const body = /^(GET|HEAD)$/i.test(method) || rest.length === 0 ? null : octetsOf(rest.join("\n\n"));
  try {
    const request = new Request(`http://localhost:8080${path.startsWith("/") ? "" : "/"}${path}`, {
      method,
      headers,
      body,
    });
    // The runtime makes GET of a method that it has not heard of, and its server refuses that.
    return request.method === method ? request : null;
  } catch {
    return null;
  }
}

async function judged(
  text: string,
  request: Request,
  response: Response,
  keys: readonly string[],
): Promise<string> {
  const { status, headers } = response;
  const type = headers.get("content-type") ?? "";
  ok(status < 500, `${status} ${await response.clone().text()}`);
  ok(/^[A-Za-z0-9._:-]{1,64}$/.test(headers.get("x-request-id") ?? ""), "every answer has its request id");
  const route = new URL(request.url).pathname.replace(/[0-9A-HJKMNP-TV-Z]{26}/g, "ID");
  const place = /^\/(docs|health|public\/v1\/\w+)?/.exec(route)?.[0] ?? "";
  if (type !== "application/json") {
    const isElsewhere = (status === 301 || status === 302) && headers.has("location");
    const isNoPage = status === 404 && place === "/docs";
    ok(status === 200 || isElsewhere || isNoPage, `${status} of ${type}`);
    await response.body?.cancel();
    return `${request.method} ${place} ${type}`;
  }
  const body = await response.text();
  if (request.method === "HEAD") return `HEAD ${status}`;
  const document = JSON.parse(body) as Record<string, unknown>;
  // What a client makes a name of in its body is told as the place of a fault.
  const [head = "", ...sent] = text.split("\n\n");
  for (const key of keys) ok(sent.join().includes(key) || !body.includes(key), "a key is never repeated");
  if (!head.includes(keys[2] ?? "") && !sent.join().includes(OTHERS_SENDER))
    ok(!body.includes(OTHERS_SENDER), "nobody sees another account's words");
  if (status < 400) {
    if (!route.startsWith("/openapi")) strictEqual(Object.keys(document).join(), "data");
    return `${request.method} ${place} ${status}`;
  }
  return problemOf(document, status, text, request, body);
}

/** What a problem says in short; it has the members that are promised and no other. */
function problemOf(
  document: Record<string, unknown>,
  status: number,
  text: string,
  request: Request,
  body: string,
): string {
  const { code, title, type, detail, request_id, errors } = document;
  const side = "is_sandbox" in document ? ",is_sandbox" : "";
  const names = `type,title,status,code,detail,is_retryable,request_id${side}`;
  strictEqual(Object.keys(document).join(), errors === undefined ? names : `${names},errors`);
  // Nobody's where no key was recognised.
  ok(status !== 401 || side === "");
  ok(typeof code === "string" && code in FAILURES, String(code));
  const known = FAILURES[code as keyof typeof FAILURES];
  strictEqual([known.status, known.title].join(), [status, title].join());
  strictEqual(document.status, status);
  strictEqual(type, `/docs/errors#${code.toLowerCase().replaceAll("_", "-")}`);
  ok(typeof detail === "string" && detail !== "" && typeof request_id === "string");
  ok(errors === undefined || (Array.isArray(errors) && errors.length >= 1 && errors.length <= 20));
  // The sender is named to whoever may not send as it.
  const isNamed =
    code === "SENDER_NOT_APPROVED" ||
    new RegExp(`${CANARY}[^"]*"\\s*:`).test(text) ||
    request.method.toLowerCase().includes(CANARY);
  if (!isNamed && !/x-request-id/i.test(text)) ok(!body.includes(CANARY), "what was sent is not repeated");
  const why = errors === undefined ? kindOf(detail).split(" ").slice(0, 5).join(" ") : "in a field";
  return code === "VALIDATION_FAILED" ? `${code} ${why}` : code;
}

function drawn({ below, pick, ascii }: Dice): string {
  const heads = Array.from({ length: below(4) }, () => pick(HEADS));
  const usual = [
    "authorization: Bearer {key}",
    "content-type: application/json",
    `idempotency-key: k${below(9)}`,
  ];
  const body = pick([
    JSON.stringify(
      submission(below(2) === 0 ? {} : { [pick(BODY_WORDS)]: pick([pick(BODY_WORDS), 1, null, [], true]) }),
    ),
    JSON.stringify({ url: "https://shop.example/hook", events: [] }),
    ascii(20),
  ]);
  const path = below(3) === 0 ? `/public/v1/${below(2) === 0 ? "batches" : "webhooks"}` : pick(PATHS);
  const query =
    below(6) === 0
      ? `?${pick(["limit", "batch_id", "status_changed_since", ascii(4)])}=${pick(["1", "{batch}", "2026", ""])}`
      : "";
  const method = path.endsWith("s") && below(2) === 0 ? "POST" : pick(METHODS);
  return `${method} ${path}${query}\n${[...(below(5) > 0 ? usual : []), ...heads].join("\n")}\n\n${body}`;
}

/** A request with its line, a header or a place of its body changed. */
function changedParts(input: Uint8Array, other: Uint8Array, rolls: Dice): Uint8Array | null {
  const { below, pick } = rolls;
  const [head = "", ...rest] = textOf(input).split("\n\n");
  const body = rest.join("\n\n");
  const lines = head.split("\n");
  if (below(2) === 0) {
    const changed = changedJson(body, textOf(other).split("\n\n")[1] ?? "", rolls, BODY_WORDS);
    return changed === null ? null : octetsOf(`${head}\n\n${changed}`);
  }
  const at = below(lines.length);
  if (at === 0) lines[0] = `${pick([...METHODS, lines[0]?.split(" ")[0] ?? ""])} ${pick(PATHS)}`;
  else if (below(3) === 0) lines.splice(at, 1);
  else lines[at] = pick(HEADS);
  if (below(3) === 0) lines.push(pick(HEADS));
  return octetsOf(`${lines.join("\n")}\n\n${body}`);
}
