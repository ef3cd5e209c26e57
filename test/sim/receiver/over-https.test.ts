import { afterEach, describe, expect, test } from "vitest";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import type { EventAnswer, EventRequest } from "../actors.ts";
import { type HttpsReceiver, serveReceiver } from "./over-https.ts";

let receiver: HttpsReceiver | null = null;
afterEach(() => receiver?.stop());

/** A receiver that gives such an answer, and what it got. */
async function giving(answer: EventAnswer): Promise<EventRequest[]> {
  const got: EventRequest[] = [];
  receiver = await serveReceiver((request) => {
    got.push(request);
    return Promise.resolve(answer);
  });
  return got;
}

function post(signal?: AbortSignal): Promise<Response> {
  const init = {
    method: "POST",
    body: '{"text":"é"}',
    headers: { "X-Signature": "abc" },
    redirect: "manual" as const,
  };
  return fetch(receiver?.url ?? "", { ...init, tls: { ca: TEST_AUTHORITY }, ...(signal && { signal }) });
}

describe("a receiver over HTTPS", () => {
  test("hands on the event as it came, and gives the answer with its headers", async () => {
    const got = await giving({ kind: "status", status: 503, headers: { "retry-after": "7" } });
    const answer = await post();
    expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "7"]);
    expect(got).toMatchObject([
      { url: receiver?.url, body: '{"text":"é"}', headers: { "x-signature": "abc" } },
    ]);
  });

  test("breaks off, without an answer and in the middle of one", async () => {
    await giving({ kind: "broken" });
    await expect(post().then((answer) => answer.text())).rejects.toThrow();
    await expect(post().then((answer) => answer.text())).rejects.toThrow();
  });

  test("says nothing until the client gives up", async () => {
    const got = await giving({ kind: "silent" });
    const giveUp = new AbortController();
    const asked = post(giveUp.signal);
    while (got.length === 0) await new Promise((resolve) => setImmediate(resolve));
    giveUp.abort();
    await expect(asked).rejects.toThrow();
  });

  test("stops at once, and another one takes its port", async () => {
    await giving({ kind: "status", status: 200, headers: {} });
    expect((await post()).status).toBe(200);
    const port = receiver?.port ?? 0;
    receiver?.stop();
    await expect(post()).rejects.toThrow();
    receiver = await serveReceiver(() => Promise.resolve({ kind: "status", status: 201, headers: {} }), port);
    expect((await post()).status).toBe(201);
  });

  test("takes nothing and answers nobody once it stopped, also over a connection that was just being opened", async () => {
    const late: { taken: number; outcome: unknown }[] = [];
    for (let turns = 0; turns < 60; turns += 3) {
      const got = await giving({ kind: "status", status: 200, headers: {} });
      const asked = post().then(
        ({ status }) => status,
        () => "broken",
      );
      for (let turn = 0; turn < turns; turn++) await new Promise((resolve) => setImmediate(resolve));
      const before = got.length;
      receiver?.stop();
      const outcome = await asked;
      if (before === 0) late.push({ taken: got.length, outcome });
    }
    expect(late.length).toBeGreaterThan(0);
    expect(late.filter(({ taken, outcome }) => taken > 0 || outcome !== "broken")).toEqual([]);
  });
});
