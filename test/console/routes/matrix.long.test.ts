/** Every route as every role, over HTTP and behind the console's own guard: what the table of roles says is what happens. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { mountConsoleRoutes } from "../../../src/console/server/routes/http-adapter.ts";
import { ROUTES } from "../../../src/console/server/routes/table.ts";
import { findRule, isAccountRole, may, ROLES } from "../../../src/domain/accounts/roles.ts";
import { plantBatch } from "../../admin/operations/batch-fixture.ts";
import { testClock } from "../../kit/test-clock.ts";
import { type ConsoleFixture, consoleFixture } from "../fixture.ts";

let place: ConsoleFixture;
let account: string;
beforeEach(async () => {
  place = await consoleFixture({}, { fill: mountConsoleRoutes(testClock()) });
  account = await place.admin.account();
});
afterEach(() => place.close());

async function signedIn(role: (typeof ROLES)[number]) {
  const own = isAccountRole(role) ? account : null;
  return place.entered(`${role.toLowerCase().replaceAll("_", "-")}@example.bf`, role, own);
}

/** Asks as the browser does; a path's parts name nothing that there is. */
async function ask(cookie: string, name: string, body?: unknown) {
  const [method = "", pattern = ""] = name.split(" ");
  const path = pattern.replaceAll(/:\w+/g, "01K00000000000000000000000");
  const { origin } = place;
  const answer = await fetch(`${origin}/console/api${path}`, {
    method,
    headers: { cookie, origin, ...(body === undefined ? {} : { "content-type": "application/json" }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const json = (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, unknown>;
  return { status: answer.status, code: json.code, json };
}

describe("each role", () => {
  test.each(ROLES)("%s may what the table says on every route, and nothing else", async (role) => {
    const { cookie } = await signedIn(role);
    const verdicts = await Promise.all(
      Object.entries(ROUTES).map(async ([name, { operation }]) => {
        const { status, code } = await ask(cookie, name);
        if (!may(role, operation)) return { name, is: [status, code], wanted: [403, "FORBIDDEN"] };
        // Who came in some seconds ago need not show the second factor again.
        const isAsked = code === "SECOND_FACTOR_NEEDED" && findRule(operation)?.asksAgain === true;
        const isLetIn = status !== 401 && code !== "FORBIDDEN";
        return { name, is: isLetIn || isAsked, wanted: true };
      }),
    );
    expect(verdicts.length).toBeGreaterThan(50);
    expect(verdicts.map(({ name, is }) => [name, is])).toEqual(
      verdicts.map(({ name, wanted }) => [name, wanted]),
    );
  });

  test("without a session every route is closed", async () => {
    for (const name of Object.keys(ROUTES)) {
      expect([name, (await ask("", name)).status]).toEqual([name, 401]);
    }
  });
});

describe("what is done", () => {
  test("stands in the audit with who, from where and by which request", async () => {
    const batch = await plantBatch(place.admin, { account, status: "SENDING", messages: ["SENT", "QUEUED"] });
    const { cookie } = await signedIn("ACCOUNT_SENDER");
    const name = `POST /batches/${batch}/cancel`;
    const { status, json } = await ask(cookie, name, { reason: "wrong text" });
    expect([status, json.status]).toEqual([200, "CANCELLED"]);
    const line = place.audits().find(({ action }) => action === "batch cancel");
    expect(line?.actor).toContain("account-sender@example.bf");
    expect(line?.detail).toMatch(/127\.0\.0\.1|::1/);
    expect(line?.detail).toContain("wrong text");
  });

  test("by support shows amounts and no text, by operations neither", async () => {
    const batch = await plantBatch(place.admin, { account, status: "SENDING", messages: ["SENT"] });
    const support = await signedIn("SUPPORT");
    const operations = await signedIn("OPERATIONS");
    const shown = await ask(support.cookie, `GET /batches/${batch}`);
    expect(shown.json).toMatchObject({ charged_amount: 15 });
    const hidden = await ask(operations.cookie, `GET /batches/${batch}`);
    expect(hidden.json).toMatchObject({ charged_amount: null, accepted: 1 });
    const { messages } = (await ask(support.cookie, `GET /messages?batch=${batch}`)).json as {
      messages: { message_id: string }[];
    };
    const text = `POST /messages/${messages[0]?.message_id}/text`;
    expect(await ask(operations.cookie, text, { reason: "curious" })).toMatchObject({ code: "FORBIDDEN" });
    expect(await ask(support.cookie, text, { reason: "complaint" })).toMatchObject({
      json: { text: "Bonjour" },
    });
    expect(place.audits().at(-1)?.action).toBe("message text");
  });

  test("shows a text to support for a reason, to an account's own people as they like, to operations and finance never", async () => {
    const batch = await plantBatch(place.admin, { account, status: "SENDING", messages: ["SENT"] });
    const message = place.context.store.read.get<{ ulid: string }>("SELECT ulid FROM messages")?.ulid;
    const reads = () => place.audits().filter(({ action }) => / text$/.test(action)).length;
    const seen = new Map<string, unknown>();
    for (const role of ROLES) {
      const { cookie } = await signedIn(role);
      const told: unknown[] = [];
      for (const name of [`POST /batches/${batch}/text`, `POST /messages/${message}/text`]) {
        for (const body of [{}, { reason: "complaint" }]) {
          const before = reads();
          const { code, json } = await ask(cookie, name, body);
          told.push(code ?? json.text, reads() - before);
        }
      }
      seen.set(role, told.join());
    }
    const byReason = "INVALID_REASON,0,Bonjour,1";
    const never = "FORBIDDEN,0,FORBIDDEN,0";
    const freely = "Bonjour,0,Bonjour,0";
    const twice = (told: string) => `${told},${told}`;
    expect(Object.fromEntries(seen)).toEqual({
      OWNER: twice(byReason),
      SUPPORT: twice(byReason),
      OPERATIONS: twice(never),
      FINANCE: twice(never),
      ACCOUNT_ADMIN: twice(freely),
      ACCOUNT_SENDER: twice(freely),
      ACCOUNT_READER: twice(freely),
    });
  });

  test("shows no price and no amount to operations, and support none of the settings of money", async () => {
    await plantBatch(place.admin, { account, status: "SENDING", messages: ["SENT"] });
    const seen = new Map<string, string>();
    for (const role of ["OWNER", "OPERATIONS", "SUPPORT"] as const) {
      const { cookie } = await signedIn(role);
      const shown: unknown[] = [];
      const { rows, totals } = (await ask(cookie, "GET /operators/orange/delivery")).json as {
        rows: { charged: number | null }[];
        totals: { charged: number | null };
      };
      shown.push([...rows, totals].some(({ charged }) => charged !== null));
      const { settings } = (await ask(cookie, "GET /configuration")).json as {
        settings: { path: string; value: unknown }[];
      };
      shown.push(settings.find(({ path }) => path === "operators.orange.price")?.value);
      const { operators } = (await ask(cookie, "GET /operators")).json as { operators: { price?: number }[] };
      shown.push(operators.some(({ price }) => price !== undefined));
      const found = (await ask(cookie, `GET /accounts/${account}`)).json;
      shown.push(found.wallet !== null, found.credit_limit !== null);
      seen.set(role, JSON.stringify(shown));
    }
    expect(Object.fromEntries(seen)).toEqual({
      OWNER: "[true,15,true,true,true]",
      OPERATIONS: '[false,"(hidden)",false,false,false]',
      SUPPORT: '[true,"(hidden)",false,true,false]',
    });
  });

  test("takes no price of an operator from operations, which has no money", async () => {
    const { cookie } = await signedIn("OPERATIONS");
    const draft = { code: "moov2", name: "Moov", host: "smsc.example", port: 2775, system_id: "us" };
    const body = { ...draft, prefixes: ["60"], price: 14 };
    const { status, json } = await ask(cookie, "POST /appliance/operator-draft", body);
    expect([status, json.detail]).toEqual([
      422,
      "le prix est fixé par un propriétaire\u00a0: ne l’indiquez pas",
    ]);
  });

  test("a refusal is in the reader's language", async () => {
    const { cookie } = await signedIn("OWNER");
    const refused = await ask(cookie, `POST /suppressions`, { msisdn: "hello", message_class: "OTP" });
    expect(refused.json.detail).toBe("«\u00a0hello\u00a0» n’est pas un numéro de téléphone");
  });

  test("a refusal of rights, of a field and of permitted hours is in the language that the browser asks for", async () => {
    const { cookie } = await signedIn("FINANCE");
    const told = async (name: string, body: unknown, language: string) => {
      const [method = "", path = ""] = name.split(" ");
      const answer = await fetch(`${place.origin}/console/api${path}`, {
        method,
        headers: {
          cookie,
          origin: place.origin,
          "content-type": "application/json",
          "accept-language": language,
        },
        body: JSON.stringify(body),
      });
      return String(((await answer.json()) as { detail: string }).detail).replaceAll(/[\u00A0\u202F]/g, " ");
    };
    const right = "POST /operators/orange/pause";
    expect(await told(right, {}, "en-GB,en")).toBe("your role may not do this");
    expect(await told(right, {}, "fr-BF")).toBe("votre rôle ne le permet pas");
    const field = `POST /accounts/${account}/suspend`;
    expect(await told(field, { reason: "" }, "en")).toBe("reason must not be empty");
    expect(await told(field, { reason: "" }, "fr")).toBe("reason : ce champ ne peut rester vide");
    expect(await told(field, { why: "?", reason: "?" }, "fr")).toBe("why : ce champ n’est pas connu");
    const hours = [`PATCH /accounts/${account}`, { marketing_hours: "late" }] as const;
    expect(await told(...hours, "fr")).toBe(
      "« late » doit être HH:MM-HH:MM, par exemple 08:00-20:00, ou default",
    );
  });
});
