import type { Appliance } from "./appliance.ts";
import { type Attack, expectAll } from "./attack.ts";
import { connection, said } from "./raw.ts";

const MEBIBYTE = 1_048_576;
const LIMIT = 64 * MEBIBYTE;

let number = 0;

/** Posts a body as `fetch` does: "422 VALIDATION_FAILED", "202", or "closed". */
async function post({ port }: Appliance, apiKey: string, body: string): Promise<string> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/public/v1/batches`, {
      method: "POST",
      headers: {
        "x-api-key": apiKey,
        "content-type": "application/json",
        "idempotency-key": `body-${++number}`,
      },
      body,
    });
    const text = await answer.text();
    const reason = /"reason_code":"(\w+)"/.exec(text)?.[1];
    return [answer.status, /"code":"(\w+)"/.exec(text)?.[1], reason].filter(Boolean).join(" ");
  } catch {
    return "closed";
  }
}

/** What the main account can still spend: less once a batch was validated. */
async function spendable({ port, apiKey }: Appliance): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/public/v1/account/balance`, {
    headers: { "x-api-key": apiKey },
  });
  return ((await answer.json()) as { data: { spendable: number } }).data.spendable;
}

/** A submission of one recipient with members written by hand, as long as the limit allows. */
const submission = (body: string, recipients: string) =>
  `{"sender":"ACME","body":"${body}","message_class":"TRANSACTIONAL","recipients":[${recipients}]}`;

const filled = (unit: string, size: number) => unit.repeat(Math.floor(size / unit.length));

const one = (name: string, body: () => string, expected: RegExp): Attack => ({
  name,
  run: async (appliance) => expectAll([await post(appliance, appliance.apiKey, body())], expected),
});

const FAILED = /^422 VALIDATION_FAILED$/;

/** Bodies as large as may be, of the least helpful shapes. */
export const bodies: readonly Attack[] = [
  one("64 MiB of [", () => "[".repeat(LIMIT), FAILED),
  one("64 MiB of [] in a list", () => `[${filled("[],", LIMIT - 3)}0]`, FAILED),
  one("64 MiB of {} as recipients", () => submission("x", `${filled("{},", LIMIT - 100)}{}`), FAILED),
  one("64 MiB of digits", () => "1".repeat(LIMIT), FAILED),
  one("64 MiB of one text as the body", () => submission("x".repeat(LIMIT - 200), ""), FAILED),
  one(
    "64 MiB of one attribute that the body names",
    () => submission("a {a}", `{"msisdn":"70000001","attributes":{"a":"${"é".repeat(LIMIT / 2 - 100)}"}}`),
    /^202 TOO_MANY_SEGMENTS$/,
  ),
  one(
    "a recipient of 1,000,000 attributes",
    () =>
      submission(
        "a {a1}",
        `{"msisdn":"70000002","attributes":{${Array.from({ length: 1_000_000 }, (_, index) => `"a${index}":${index}`).join()}}}`,
      ),
    /^202$/,
  ),
  one(
    "a recipient of 1,000,000 unknown members",
    () =>
      submission(
        "b",
        `{"msisdn":"70000003",${Array.from({ length: 1_000_000 }, (_, index) => `"a${index}":${index}`).join()}}`,
      ),
    /^202$/,
  ),
  one(
    "1,000,000 unknown members",
    () => `{${Array.from({ length: 1_000_000 }, (_, index) => `"a${index}":1`).join()}}`,
    FAILED,
  ),
  one("64 MiB of escapes", () => `"${filled("\\u0000", LIMIT - 10)}"`, FAILED),
  one(
    "100,001 recipients",
    () => submission("c", `${filled('{"msisdn":"70000004"},', 22 * 100_000)}{"msisdn":"70000004"}`),
    FAILED,
  ),
  one("64 MiB + 1 byte, declared", () => " ".repeat(LIMIT + 1), /^422 VALIDATION_FAILED$|^closed$/),
  {
    name: "80 MiB in chunks",
    run: async (appliance) =>
      // The refusal may be lost on its way, when the connection is closed while more is sent.
      expectAll([await chunked(appliance, 80)], /^(422 VALIDATION_FAILED|nothing)$/),
  },
  {
    name: "100,000 recipients with attributes, until they are validated",
    run: async (appliance) => {
      const recipients = Array.from(
        { length: 100_000 },
        (_, index) =>
          `{"msisdn":"72${String(index).padStart(6, "0")}","attributes":{"name":"Awa ${index}","due":"2026-03-01"}}`,
      );
      const body = submission("Bonjour {name}, {due}", recipients.join());
      const before = await spendable(appliance);
      const came = expectAll([await post(appliance, appliance.apiKey, body)], /^202$/);
      const began = performance.now();
      while ((await spendable(appliance)) === before) await Bun.sleep(100);
      return `${came}, validated ${((performance.now() - began) / 1000).toFixed(1)} s later`;
    },
  },
  {
    name: "32 × 64 MiB at once, one account",
    run: async (appliance) => {
      const body = submission("x", `${filled('{"a":1},', LIMIT - 200)}{}`);
      const all = Array.from({ length: 32 }, () => post(appliance, appliance.apiKey, body));
      return expectReadOrBusy(await Promise.all(all));
    },
  },
  {
    name: "the same, and a campaign of another account meanwhile",
    run: async (appliance) => {
      const body = submission("x", `${filled('{"a":1},', LIMIT - 200)}{}`);
      const all = Promise.all(Array.from({ length: 32 }, () => post(appliance, appliance.apiKey, body)));
      await Bun.sleep(500);
      const began = performance.now();
      const numbers = Array.from(
        { length: 20_000 },
        (_, index) => `{"msisdn":"71${String(index).padStart(6, "0")}"}`,
      );
      const campaign = await post(appliance, appliance.keys.other, submission("d", numbers.join()));
      const seconds = ((performance.now() - began) / 1000).toFixed(1);
      const others = expectReadOrBusy(await all);
      return `campaign: ${expectAll([campaign], /^202$/)} after ${seconds} s; ${others}`;
    },
  },
];

/**
 * Of two gigabytes at once each body is read, or told within its deadline to come again (docs/behaviour.md#bodies): how many are
 * read in that time depends on the machine, and half of them is little for any.
 */
function expectReadOrBusy(verdicts: readonly string[]): string {
  const came = expectAll(
    verdicts,
    /^(422 VALIDATION_FAILED|429 RATE_LIMITED|503 SERVICE_UNAVAILABLE|closed)$/,
  );
  const busy = verdicts.filter((verdict) => verdict.startsWith("503")).length;
  if (busy > verdicts.length / 2) throw new Error(`${came}; fewer were read than were not`);
  return came;
}

/** Sends mebibytes in chunks, heeding nothing but what comes back. */
async function chunked({ port, apiKey }: Appliance, mebibytes: number): Promise<string> {
  const socket = connection(port);
  const chunks: Buffer[] = [];
  socket.on("data", (chunk) => chunks.push(Buffer.from(chunk)));
  const closed = new Promise((resolve) => socket.on("close", resolve));
  socket.write(
    `POST /public/v1/batches HTTP/1.1\r\nHost: h\r\nX-API-Key: ${apiKey}\r\nIdempotency-Key: c\r\n` +
      "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n",
  );
  const piece = `100000\r\n${" ".repeat(MEBIBYTE)}\r\n`;
  for (let sent = 0; sent < mebibytes && !socket.destroyed; sent++) {
    if (!socket.write(piece))
      await Promise.race([new Promise((resolve) => socket.once("drain", resolve)), closed]);
  }
  await closed;
  return said(Buffer.concat(chunks).toString("latin1"), true).verdict;
}
