import { describe, expect, test } from "vitest";
import { MEMORY_WAIT_MS, SMALL_BYTES } from "../../../src/ingress/http/body.ts";
import { JUDGED_EVERY_MS } from "../../../src/ingress/http/body-budget.ts";
import {
  type HttpFixture,
  httpFixture,
  rawConnection,
  submission,
  submitTo,
  type Tenant,
} from "../api/fixture.ts";

const MAX_BYTES = 200_000;

/** A door behind which submissions with a body of "held" wait until they are let go. */
async function heldFixture() {
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  const fixture = await httpFixture({
    api: { max_body_bytes: MAX_BYTES },
    submit: (real) => async (order) => {
      if (order.request.ok && order.request.value.body === "held") {
        arrive();
        await held;
      }
      return real(order);
    },
  });
  return { fixture, arrived, letGo };
}

const padded = (body: string, bytes: number) => JSON.stringify(submission({ body })).padEnd(bytes, " ");

/** Sends a large submission by hand; `chunked` leaves its length open. */
function sendLarge(fixture: HttpFixture, { apiKey }: Tenant, body: string, chunked = false) {
  const socket = rawConnection(fixture);
  const text = padded(body, SMALL_BYTES + 1);
  const framing = chunked ? "Transfer-Encoding: chunked" : `Content-Length: ${text.length}`;
  socket.send(
    `POST /public/v1/batches HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nIdempotency-Key: ${body}\r\n` +
      `Content-Type: application/json\r\n${framing}\r\n\r\n`,
  );
  socket.send(chunked ? `${text.length.toString(16)}\r\n${text}\r\n0\r\n\r\n` : text);
  return socket;
}

describe("a large body that has to wait for memory", () => {
  // Keeps: behaviour 4.66
  test.each([[false], [true]])(
    "is refused after twenty seconds, and may be sent again (chunked: %s)",
    async (chunked) => {
      const { fixture, arrived, letGo } = await heldFixture();
      const tenant = await fixture.tenant();
      const first = submitTo(fixture, tenant, "first", padded("held", MAX_BYTES));
      await arrived;
      const idle = fixture.clock.waiting();
      const second = sendLarge(fixture, tenant, "second", chunked);
      while (fixture.clock.waiting() === idle) await new Promise((resolve) => setImmediate(resolve));
      await fixture.clock.advance(MEMORY_WAIT_MS);
      const answer = await second.closed();
      expect(answer).toContain("503 Service Unavailable");
      expect(answer).toContain('"code":"SERVICE_UNAVAILABLE"');
      expect(answer.toLowerCase()).toContain("retry-after: 5");
      letGo();
      expect((await first).status).toBe(202);
      const again = sendLarge(fixture, tenant, "second", chunked);
      expect(await again.until("\r\n\r\n")).toContain("202 Accepted");
      again.end();
      await fixture.close();
    },
  );

  test("is read as soon as there is some", async () => {
    const { fixture, arrived, letGo } = await heldFixture();
    const tenant = await fixture.tenant();
    const first = submitTo(fixture, tenant, "first", padded("held", MAX_BYTES));
    await arrived;
    const second = sendLarge(fixture, tenant, "second");
    letGo();
    expect(await second.until("\r\n\r\n")).toContain("202 Accepted");
    expect((await first).status).toBe(202);
    second.end();
    await fixture.close();
  });

  test("holds up neither small ones nor another account's", async () => {
    const { fixture, arrived, letGo } = await heldFixture();
    const tenant = await fixture.tenant();
    const first = submitTo(fixture, tenant, "first", padded("held", MAX_BYTES));
    await arrived;
    const second = sendLarge(fixture, tenant, "second");
    expect((await submitTo(fixture, tenant, "small", submission({ body: "small" }))).status).toBe(202);
    const other = sendLarge(fixture, await fixture.tenant(), "other");
    expect(await other.until("\r\n\r\n")).toContain("202 Accepted");
    letGo();
    await Promise.all([first, second.until("\r\n\r\n")]);
    for (const socket of [second, other]) socket.end();
    await fixture.close();
  });
});

describe("large bodies that drip", () => {
  const DECLARED = "Content-Length: 200000";
  const CHUNKED = "Transfer-Encoding: chunked";

  /** Sends the head of a submission and most of a largest body, and no more of it. */
  function drip(fixture: HttpFixture, { apiKey }: Tenant, framing: string) {
    const socket = rawConnection(fixture);
    socket.send(
      `POST /public/v1/batches HTTP/1.1\r\nHost: localhost\r\nX-API-Key: ${apiKey}\r\nIdempotency-Key: drip\r\n` +
        `Content-Type: application/json\r\n${framing}\r\n\r\n`,
    );
    const body = " ".repeat(150_000);
    socket.send(framing === CHUNKED ? `${body.length.toString(16)}\r\n${body}\r\n` : body);
    return socket;
  }

  test.each([[CHUNKED], [DECLARED]])(
    "keep others waiting for seconds at most: then they are broken off, and may be sent again (%s)",
    async (framing) => {
      const fixture = await httpFixture({ api: { max_body_bytes: MAX_BYTES } });
      const drips = [await fixture.tenant(), await fixture.tenant()].map((tenant) =>
        drip(fixture, tenant, framing),
      );
      const turn = () => new Promise((resolve) => setImmediate(resolve));
      // A deadline each, and one waits for memory: until it gives up, and until who is slow is looked for.
      while (fixture.clock.waiting() < 4) await turn();
      const quick = sendLarge(fixture, await fixture.tenant(), "quick");
      let answer = "";
      void quick.until("\r\n\r\n").then((text) => {
        answer = text;
      });
      // Either there is room for it beside them, or it waits too.
      while (answer === "" && fixture.clock.waiting() < 6) await turn();
      await fixture.clock.advance(2 * JUDGED_EVERY_MS);
      while (answer === "") await turn();
      expect(answer).toContain("202 Accepted");
      const broken = await Promise.race(drips.map((socket) => socket.closed()));
      expect(broken).toContain("503 Service Unavailable");
      expect(broken).toContain("arrived too slowly while others waited");
      expect(broken.toLowerCase()).toContain("retry-after: 5");
      for (const socket of [quick, ...drips]) socket.end();
      await fixture.close();
    },
  );
});
