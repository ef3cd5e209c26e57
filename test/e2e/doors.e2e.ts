/** The doors of Kannel and Jasmin on the executable: as their clients ask, and no callback is lost when it is killed. */
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { poll } from "./api.ts";
import { type Appliance, appliance, BRISK, NO_RATE_LIMIT, type Tenant } from "./appliance.ts";

let bendre: Appliance;
let tenant: Tenant;
let password = "";

/** What was told, in order: "8 22605000001". */
const told: string[] = [];
/** The answer to what is told, when there is one. */
let answer: (call: string) => Promise<Response> | Response = () => new Response("ok");
const receiver = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  fetch: async (request) => {
    const { searchParams } = new URL(request.url);
    const form = new URLSearchParams(await request.text());
    const call = searchParams.has("type")
      ? `${searchParams.get("type")} ${searchParams.get("to")}`
      : `${form.get("level")} ${form.get("id")} ${form.get("message_status")}`;
    told.push(call);
    return answer(call);
  },
});
const CALLBACK = () => `http://127.0.0.1:${receiver.port}/dlr?type=%d&to=%p`;

beforeAll(async () => {
  const doors = "[compat]\nkannel = true\njasmin = true\n[webhooks]\nallow_private_targets = true";
  bendre = await appliance({ operators: { orange: BRISK }, settings: `${NO_RATE_LIMIT}\n${doors}` });
  tenant = await bendre.tenant("Portes");
  const made = await bendre.ask("compat create", { ACCOUNT: tenant.accountId, user: "old", sender: "ACME" });
  password = String(made.password);
});
afterAll(async () => {
  bendre?.close();
  await receiver.stop(true);
});

/** What a program without a library for HTTP reads until the end. */
function raw(octets: string): Promise<string> {
  const { hostname, port } = new URL(bendre.url());
  return new Promise((resolve, reject) => {
    let text = "";
    const socket = connect(Number(port), hostname, () => socket.write(octets));
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(text));
  });
}

function query(to: string, text: string, more: Readonly<Record<string, string>> = {}): URLSearchParams {
  const dlr = { "dlr-mask": "31", "dlr-url": CALLBACK() };
  return new URLSearchParams({ username: "old", password, to, text, ...dlr, ...more });
}

const sendsms = async (to: string, text: string): Promise<string> => {
  const response = await fetch(`${bendre.url()}/cgi-bin/sendsms?${query(to, text)}`);
  return response.text();
};

test("an old program writes its request by hand, and reads the words until the connection ends", async () => {
  await poll(
    () => sendsms("22605999999", "Is the operator there?"),
    (words) => words === "0: Accepted for delivery",
  );
  const text = await raw(
    `GET /cgi-bin/sendsms?${query("+22605000001", "Bonjour Awa", { mclass: "1", smsc: "default" })} HTTP/1.0\r\n\r\n`,
  );
  expect(text).toMatch(/^HTTP\/1\.[01] 202 /);
  expect(text.endsWith("\r\n\r\n0: Accepted for delivery")).toBe(true);
  expect(await raw(`GET /cgi-bin/sendsms?to=22605000001&text=x HTTP/1.0\r\n\r\n`)).toMatch(
    / 403 .*\r\n\r\nAuthorization failed for sendsms$/s,
  );
  await poll(
    () => told,
    (calls) => calls.includes("1 +22605000001"),
  );
  expect(told.filter((call) => call.endsWith("+22605000001"))).toEqual(["8 +22605000001", "1 +22605000001"]);
});

test("a client of Jasmin posts a form, and is told by a form", async () => {
  answer = () => new Response("ACK/Jasmin");
  const content = { content: "Bonjour", "dlr-url": `http://127.0.0.1:${receiver.port}/cb`, "dlr-level": "3" };
  const response = await fetch(`${bendre.url()}/send`, {
    method: "POST",
    body: new URLSearchParams({ username: "old", password, to: "22605000002", ...content }),
  });
  const words = await response.text();
  expect(words).toMatch(/^Success "[0-9A-Z]{26}"$/);
  const id = words.slice(9, -1);
  await poll(
    () => told,
    (calls) => calls.includes(`2 ${id} DELIVRD`),
  );
  expect(told.filter((call) => call.includes(id))).toEqual([`1 ${id} ESME_ROK`, `2 ${id} DELIVRD`]);
  const log = bendre.log();
  for (const hidden of ["Bonjour", "22605000001", "22605000002", password]) expect(log).not.toContain(hidden);
});

test("a kill between the acceptance and its callbacks loses none", async () => {
  answer = () => new Response("ok");
  const numbers = Array.from({ length: 40 }, (_, index) => String(22_605_000_100 + index));
  for (const [index, to] of numbers.entries()) {
    expect(await sendsms(to, "Hello")).toMatch(/^[03]: /);
    if (index % 10 !== 9) continue;
    await bendre.end("SIGKILL");
    await bendre.start();
  }
  const all = numbers.flatMap((to) => [`8 ${to}`, `1 ${to}`]);
  await poll(
    () => told,
    (calls) => all.every((call) => calls.includes(call)),
  );
});

test("a kill between a callback and the note of its answer makes it again, and once more no longer", async () => {
  let release = (): void => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  answer = () => held.then(() => new Response("ok"));
  await sendsms("22605000200", "Hello");
  const of = () => told.filter((call) => call.endsWith("22605000200"));
  await poll(of, (calls) => calls.length === 1);
  await bendre.end("SIGKILL");
  release();
  await bendre.start();
  await poll(of, (calls) => calls.length === 3);
  await bendre.end("SIGTERM");
  await bendre.start();
  // Whoever comes after it is told; it is not told again.
  await sendsms("22605000201", "Hello");
  await poll(
    () => told,
    (calls) => calls.includes("1 22605000201"),
  );
  expect(of()).toEqual(["8 22605000200", "8 22605000200", "1 22605000200"]);
});
