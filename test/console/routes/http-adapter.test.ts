/** The routes over HTTP, behind a guard that lets whoever names a role do what it may. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { done } from "../../../src/admin/operations/refusal.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { createConsoleLimits } from "../../../src/console/server/rate-limits.ts";
import { mountRouteTable } from "../../../src/console/server/routes/http-adapter.ts";
import { createUploads, type Uploads } from "../../../src/console/server/send/uploads.ts";
import { readiness } from "../../../src/core/health.ts";
import { systemServe } from "../../../src/core/http-server.ts";
import { createMetricsRegistry } from "../../../src/core/metrics-registry.ts";
import { createDeadline } from "../../../src/core/shutdown-plan.ts";
import { recordAudit } from "../../../src/domain/accounts/audit.ts";
import { said } from "../../../src/i18n/phrase.ts";
import { type Listener, listen } from "../../../src/ingress/http/listener.ts";
import { problem } from "../../../src/ingress/http/problem.ts";
import type { KnownCaller } from "../../../src/ingress/http/request-context.ts";
import {
  createRequestHandler,
  createRoutes,
  createStartupHandler,
  requireCaller,
} from "../../../src/ingress/http/router.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { type AdminFixture, adminFixture } from "../../admin/operations/fixture.ts";
import { configOf, document } from "../../config/sample.ts";
import { testLog } from "../../kit/test-log.ts";
import { inFrenchWords } from "../french-words.ts";

type Person = KnownCaller & { readonly may: readonly string[]; readonly seesMoney: boolean };

let fixture: AdminFixture;
let door: Listener;
let account: string;
let files: Uploads;
const log = testLog();

beforeEach(async () => {
  fixture = adminFixture();
  account = await fixture.account();
  const { context, clock } = fixture;
  const deps = { clock, log, tally: createMetricsRegistry(), newId: context.newId };
  const set = createRoutes<Person>("/console/api", deps, {
    authenticate: (headers) => {
      const may = headers.get("x-may");
      return may === null ? null : { keyId: "p", may: may.split(","), seesMoney: may.includes("money.read") };
    },
    take: () => ({ isAllowed: true, limit: 1, remaining: 1, resetSeconds: 0, perSecond: 1, retrySeconds: 0 }),
  });
  files = createUploads(clock);
  const staff = {
    context,
    account: null,
    user: 1,
    files,
    language: "fr" as const,
  };
  const settings = settingsHolder(configOf(document()));
  mountRouteTable(set, {
    clock,
    limits: createConsoleLimits(settings, clock, createMetricsRegistry()),
    askedOf: (exchange, operation) => {
      const { may, seesMoney } = requireCaller(exchange);
      return may.includes(operation)
        ? {
            ...staff,
            seesMoney,
            may: (wanted) => may.includes(wanted),
            translate: inFrenchWords,
          }
        : problem(exchange, { code: "NOT_FOUND", detail: said("no such resource") });
    },
  });
  const config = configOf(document({ server: { listen: "127.0.0.1:0" } }));
  door = listen({
    at: config.server.listen,
    certificate: null,
    clock,
    log: testLog(),
    serve: systemServe,
    closed: createStartupHandler(clock, context.newId, readiness()),
  });
  door.open(createRequestHandler([set]));
});
afterEach(async () => {
  await door.stop(createDeadline(fixture.clock, 1000));
  await fixture.close();
});

type Json = Record<string, unknown>;
async function ask(may: string, name: string, body?: unknown) {
  const [method = "", path = ""] = name.split(" ");
  const answer = await fetch(`${door.url}/console/api${path}`, {
    method,
    headers: { "x-may": may, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}
const json = async (...of: Parameters<typeof ask>) => JSON.parse((await ask(...of)).text) as Json;

describe("over HTTP", () => {
  test("who may not do what a route does is refused before anything of its body is read", async () => {
    const topUp = `POST /accounts/${account}/wallet/topup`;
    expect((await ask("money.read", topUp, "x".repeat(10_000_000))).status).toBe(404);
    expect((await ask("money.read", topUp, { amount: 500, reference: "r" })).status).toBe(404);
    const done = await json("money.change", topUp, { amount: 500, reference: "r" });
    expect(done).toMatchObject({ topup: 500, balance: 500 });
    expect(fixture.audited().at(-1)).toBe("awa: wallet topup");
  });

  test("who has too many files written for them is told when to ask again", async () => {
    const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
    const write = () => files.spool.write({ user: 1, context: fixture.context }, async () => done([""]));
    const fetched = () => ask("batches.read", `GET /batches/${batch}/left-out.csv`);
    expect((await fetched()).status).toBe(200);
    for (let nth = 0; nth < 4; nth++) await write();
    const { status, headers, text } = await fetched();
    expect([status, headers.get("retry-after"), JSON.parse(text).code]).toEqual([429, "5", "RATE_LIMITED"]);
  });

  test("a refusal says why, in the words of whoever asks, and what is missing is the same sentence for all", async () => {
    const refused = await json("money.change", `POST /accounts/${account}/wallet/adjust`, {
      amount: 0,
      reason: "mistake",
      reference: "f",
    });
    expect(refused).toMatchObject({
      status: 422,
      code: "INVALID_AMOUNT",
      detail: "une correction de 0 XOF ne change rien",
    });
    const missing = await json("batches.read", "GET /batches/01K00000000000000000000000");
    const unknown = await json("accounts.read", "GET /accounts/nobody");
    for (const { request_id, ...told } of [missing, unknown]) {
      expect(request_id).toEqual(expect.any(String));
      expect(told).toMatchObject({
        status: 404,
        code: "NOT_FOUND",
        detail: expect.stringMatching(/^(no such resource|cette ressource n.existe pas)$/),
      });
    }
  });

  test("a body that is too large, or no JSON, is refused; a file of numbers may be larger", async () => {
    const far = { account, message_class: "OTP", text: `${"05112233\n".repeat(20_000)}`, skip_invalid: true };
    expect((await ask("suppressions.change", "POST /suppressions/import", far)).status).toBe(200);
    const note = { msisdn: "05112233", message_class: "OTP", note: "n".repeat(100_000) };
    expect((await ask("suppressions.change", "POST /suppressions", note)).status).toBe(422);
    const answer = await fetch(`${door.url}/console/api/suppressions`, {
      method: "POST",
      headers: { "x-may": "suppressions.change", "content-type": "text/plain" },
      body: "{}",
    });
    expect(answer.status).toBe(422);
  });

  test("who was left out of a batch is a file that a spreadsheet opens", async () => {
    const rejections = Array.from({ length: 2500 }, () => "SUPPRESSED");
    const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"], rejections });
    const file = await ask("batches.read", `GET /batches/${batch}/left-out.csv`);
    expect(file.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(file.headers.get("content-disposition")).toBe(`attachment; filename="non-envoyes-${batch}.csv"`);
    const lines = file.text.split("\r\n");
    expect(lines.slice(0, 2)).toEqual([
      "Place dans le lot;Ligne du fichier;reason_code;Motif du non-envoi;bendre_row;numéro;client_reference",
      "1;;DESINSCRIT;La personne s’est désinscrite;;;",
    ]);
    expect(lines).toHaveLength(2502);
  });

  test("files are named by what there is, whatever was typed, and there is none of what there is not", async () => {
    const statement = (typed: string) =>
      ask("money.read", `GET /accounts/${encodeURIComponent(typed)}/statement.csv`);
    const named = await statement(account.slice(-6).toLowerCase());
    expect(named.headers.get("content-disposition")).toBe(
      'attachment; filename="releve-faso-shop-2026-03-02.csv"',
    );
    expect(named.text.split("\r\n")[0]).toBe(
      "Quand (Africa/Ouagadougou);Écriture;Montant sans signe;Mouvement du solde;Solde après;Votre nom pour le lot;Référence;Note;Identifiant du lot",
    );
    for (const typed of ["nobody", 'a"; filename="x.exe', `${account}\r\nX-A: 1`]) {
      expect([typed, (await statement(typed)).status]).toEqual([typed, 404]);
    }
  });

  test("the audit is taken away whole, page after page", async () => {
    await fixture.context.store.write((tx) => {
      for (let nth = 0; nth < 2500; nth++) {
        recordAudit(tx, { atMs: nth, actor: "awa", action: "key create", subject: account, detail: {} });
      }
    });
    const { text } = await ask("audit.read", "GET /audit.csv?action=key");
    expect(text.split("\r\n")).toHaveLength(2502);
    expect((await ask("audit.read", "GET /audit.csv?from=neverday")).status).toBe(422);
  });

  test("amounts are there for those who may see money, and texts for nobody without a reason", async () => {
    const batch = await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
    const rich = "batches.read,messages.read,messages.text,money.read";
    expect(await json(rich, `GET /batches/${batch}`)).toMatchObject({ charged_amount: 15 });
    const poor = await json("batches.read", `GET /batches/${batch}`);
    expect(poor).toMatchObject({ charged_amount: null, reserved_amount: null, accepted: 1 });

    const found = (await json("messages.read", `GET /messages?batch=${batch}`)) as { messages: Json[] };
    expect(found.messages).toMatchObject([{ amount: null, reserved_amount: null, status: "SENT" }]);
    const id = String(found.messages[0]?.message_id);
    const life = (await ask("messages.read", `GET /messages/${id}`)).text;
    expect(life).not.toMatch(/Bonjour|\d XOF/);
    expect((await ask(rich, `GET /messages/${id}`)).text).toMatch(/15 XOF/);
    expect((await ask(rich, `POST /messages/${id}/text`, { reason: "" })).status).toBe(422);
    expect(await json(rich, `POST /messages/${id}/text`, { reason: "complaint" })).toMatchObject({
      text: "Bonjour",
    });
    expect(fixture.audited().at(-1)).toBe("awa: message text");
  });

  test("no number, text or query reaches the log", async () => {
    await plantBatch(fixture, { account, status: "SENDING", messages: ["SENT"] });
    await ask("messages.read", "GET /messages?number=05000000");
    await ask("suppressions.change", "POST /suppressions", { msisdn: "05112233", message_class: "OTP" });
    await ask("suppressions.read", "GET /suppressions/number?number=05112233");
    expect(log.lines.length).toBeGreaterThan(2);
    expect(JSON.stringify(log.lines)).not.toMatch(/05000000|05112233|Bonjour/);
  });
});
