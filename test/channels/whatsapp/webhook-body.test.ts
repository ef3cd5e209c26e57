/** What calls of the webhook may hold in memory before their signatures were checked, and that Meta's are taken all the same. */
import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { createWebhookBodyReader } from "../../../src/channels/whatsapp/webhook.ts";
import { testClock } from "../../kit/test-clock.ts";

const SECRET = "S";
const MIB = 1_048_576;
const sign = (body: Uint8Array) => `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;
const bodyOf = (bytes: number) => new Uint8Array(bytes).fill(0x20);

/** A call whose body is sent piece by piece, as far as it is told to. */
function calling(body: Uint8Array, { isDeclared = true } = {}) {
  let stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  const source = new ReadableStream<Uint8Array>({
    start: (controller) => {
      stream = controller;
    },
  });
  let sent = 0;
  return {
    request: new Request("http://127.0.0.1/whatsapp/webhook", {
      method: "POST",
      body: source,
      headers: isDeclared ? { "content-length": String(body.byteLength) } : {},
    }),
    send: async (upTo = body.byteLength) => {
      for (; sent < upTo; sent += 65_536) {
        stream?.enqueue(body.slice(sent, Math.min(upTo, sent + 65_536)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (upTo === body.byteLength) stream?.close();
      await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

describe("calls of the webhook", () => {
  test("hold no more together than there is room for, until their signatures were checked", async () => {
    const calls = createWebhookBodyReader(testClock(), 4 * MIB);
    const body = bodyOf(2 * MIB);
    const many = Array.from({ length: 10 }, () => calling(body));
    const answers = many.map(({ request }) => calls.read(request, "sha256=00", SECRET));
    for (const one of many) await one.send(MIB);
    expect(calls.heldBytes()).toBeGreaterThan(0);
    expect(calls.heldBytes()).toBeLessThanOrEqual(4 * MIB);
    for (const one of many) await one.send();
    expect(new Set((await Promise.all(answers)).map(({ kind }) => kind))).toEqual(new Set(["unsigned"]));
    expect(calls.heldBytes()).toBe(0);
  });

  test("of Meta are taken at once, or when they come again, however many others fill the room", async () => {
    const calls = createWebhookBodyReader(testClock(), 4 * MIB);
    const strangers = Array.from({ length: 10 }, () => calling(bodyOf(2 * MIB)));
    const refused = strangers.map(({ request }) => calls.read(request, "sha256=00", SECRET));
    for (const one of strangers) await one.send(MIB);
    const small = bodyOf(60_000);
    const first = calling(small);
    const [told] = await Promise.all([calls.read(first.request, sign(small), SECRET), first.send()]);
    expect(told).toMatchObject({ kind: "signed" });
    const large = bodyOf(8 * MIB);
    const kinds: string[] = [];
    for (let time = 0; time < 2; time++) {
      const one = calling(large);
      const [read] = await Promise.all([calls.read(one.request, sign(large), SECRET), one.send()]);
      kinds.push(read.kind);
      if (read.kind === "signed") {
        expect(read.body.byteLength).toBe(8 * MIB);
        read.release();
      }
    }
    expect(kinds).toEqual(["again", "signed"]);
    for (const one of strangers) await one.send();
    await Promise.all(refused);
    // Nobody is in the way any more.
    const other = bodyOf(2 * MIB);
    const last = calling(other, { isDeclared: false });
    const [read] = await Promise.all([calls.read(last.request, sign(other), SECRET), last.send()]);
    expect(read).toMatchObject({ kind: "signed" });
  });

  test("that drip are let go of after thirty seconds, with all that they held", async () => {
    const clock = testClock();
    const calls = createWebhookBodyReader(clock, 4 * MIB);
    const slow = calling(bodyOf(2 * MIB));
    const answer = calls.read(slow.request, "sha256=00", SECRET);
    await slow.send(MIB);
    expect(calls.heldBytes()).toBeGreaterThan(0);
    await clock.advance(30_000);
    expect(await answer).toEqual({ kind: "unreadable" });
    expect(calls.heldBytes()).toBe(0);
  });

  test("above eight mebibytes are not read to their end, declared or not", async () => {
    const calls = createWebhookBodyReader(testClock());
    const body = bodyOf(8 * MIB + 1);
    for (const isDeclared of [true, false]) {
      const one = calling(body, { isDeclared });
      const read = calls.read(one.request, sign(body), SECRET);
      await one.send(isDeclared ? 0 : undefined).catch(() => {});
      expect(await read).toEqual({ kind: "unreadable" });
    }
  });
});
