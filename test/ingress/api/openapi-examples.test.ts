/** The examples of the reference, made into requests as a reader would make them. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { type HttpFixture, httpFixture, type Tenant } from "./fixture.ts";

type Body = { readonly content: { readonly "application/json"?: { readonly example?: unknown } } };
type Operation = {
  readonly operationId: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly example?: unknown;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
  readonly "x-scope"?: string;
};

let fixture: HttpFixture;
let tenant: Tenant;
let operations: readonly { method: string; path: string; operation: Operation }[];
/** What the answers so far have told of ids, by their names. */
const told = new Map<string, string>();

beforeAll(async () => {
  fixture = await httpFixture({ areReceiversHere: true });
  tenant = await fixture.tenant();
  const document = (await (await fetch(`${fixture.http.url}/openapi.json`)).json()) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation["x-scope"] !== undefined)
      .map(([method, operation]) => ({ method: method.toUpperCase(), path, operation })),
  );
});
afterAll(() => fixture.close());

/** The example is for a test key; a live one has a sender of its own. */
const own = (text: string): string => text.replaceAll('"TEST"', '"ACME"');

async function tried(operationId: string): Promise<{ status: number; data: Record<string, unknown> }> {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  if (!found) throw new Error(`there is no ${operationId}`);
  const { method, operation } = found;
  const query = new URLSearchParams();
  const headers = new Headers({ authorization: `Bearer ${tenant.apiKey}` });
  let { path } = found;
  for (const { name, in: place, required, example } of operation.parameters ?? []) {
    if (place === "path") path = path.replace(`{${name}}`, told.get(name) ?? String(example));
    else if (place === "header") headers.set(name, String(example));
    else if (required) query.set(name, String(example));
  }
  const example = operation.requestBody?.content["application/json"]?.example;
  if (example !== undefined) headers.set("content-type", "application/json");
  const response = await fetch(`${fixture.http.url}/public/v1${path}?${query}`, {
    method,
    headers,
    ...(example === undefined ? {} : { body: own(JSON.stringify(example)) }),
  });
  const { data } = (await response.json()) as { data: Record<string, unknown> };
  for (const name of ["batch_id", "webhook_id"]) {
    if (typeof data?.[name] === "string") told.set(name, data[name]);
  }
  const [message] = (data?.messages ?? []) as { message_id?: string }[];
  if (message?.message_id !== undefined) told.set("message_id", message.message_id);
  return { status: response.status, data };
}

/** In the order in which one tells another's ids. */
const ORDER = [
  "listSenderIds",
  "listTemplates",
  "getAccount",
  "getBalance",
  "quoteBatch",
  "submitBatch",
  "getBatch",
  "listBatches",
  "listMessageChanges",
  "getMessage",
  "cancelBatch",
  "createWebhook",
  "listWebhooks",
  "testWebhook",
  "rotateWebhookSecret",
  "disableWebhook",
  "enableWebhook",
];

test("every operation is tried", () => {
  expect(operations.map(({ operation }) => operation.operationId).sort()).toEqual([...ORDER].sort());
});

/** The status of an operation's success, and the data of the example of it. */
function shownOf(operationId: string): { readonly status: number; readonly data: Record<string, unknown> } {
  const found = operations.find(({ operation }) => operation.operationId === operationId);
  const [[status, answer] = []] = Object.entries(found?.operation.responses ?? {});
  const example = answer?.content["application/json"]?.example ?? {};
  return { status: Number(status), data: (example as { data: Record<string, unknown> }).data };
}

test.each(ORDER)("%s is answered as its example says, with the same fields", async (operationId) => {
  const { status, data } = await tried(operationId);
  const shown = shownOf(operationId);
  expect([operationId, status]).toEqual([operationId, shown.status]);
  expect([operationId, Object.keys(data).sort()]).toEqual([operationId, Object.keys(shown.data).sort()]);
});

test("the example of a submission comes to what it shows", async () => {
  const { data: shown } = shownOf("submitBatch");
  const { data } = await tried("submitBatch");
  // Of a test key, which this one is not.
  expect(shown.is_sandbox).toBe(true);
  expect({ ...data, batch_id: shown.batch_id }).toEqual({ ...shown, is_sandbox: false });
});
