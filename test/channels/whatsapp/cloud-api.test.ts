import { createServer, type Server, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { cloudClient } from "../../../src/channels/whatsapp/cloud-api.ts";
import { settingsHolder } from "../../../src/config/live-config.ts";
import { systemClock } from "../../../src/core/clock.ts";
import { systemHttps } from "../../../src/https/address-guard.ts";
import { phrase } from "../../../src/i18n/phrase.ts";
import { configOf, document } from "../../config/sample.ts";

const NUMBER = { phone_number_id: "42", token: "t0ken" };
const BODY = '{"to":"1"}';

let server: Server;
let port: number;
let posts: string[];
let connections: number;
/** What the other side does with a post: an answer, or null to close the connection without one. */
let answer: () => string | null;

const answered = (status: string, body: string) =>
  `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

beforeEach(async () => {
  [posts, connections] = [[], 0];
  server = createServer((socket: Socket) => {
    connections += 1;
    let read = "";
    socket.on("error", () => {});
    socket.on("data", (octets) => {
      read += octets.toString();
      if (!read.endsWith(BODY)) return;
      posts.push(read);
      read = "";
      const said = answer();
      if (said === null) socket.end();
      else socket.write(said);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const at = server.address();
  port = typeof at === "object" && at !== null ? at.port : 0;
});
afterEach(() => {
  server.close();
});

const clientOf = () =>
  cloudClient({
    settings: settingsHolder(configOf(document({ whatsapp: { api: `http://127.0.0.1:${port}` } }))),
    clock: systemClock,
    https: systemHttps,
    readPem: () => null,
  });

describe("a post to the Cloud API", () => {
  test("goes to the number with its token, and its answer is read whole", async () => {
    const wamid = `wamid.${"x".repeat(300)}`;
    answer = () => answered("200 OK", JSON.stringify({ messages: [{ id: wamid }] }));
    expect(await clientOf().post(NUMBER, BODY)).toEqual({
      kind: "accepted",
      wamid,
      isHeld: false,
      waId: null,
    });
    expect(posts[0]).toMatch(/^POST \/v23\.0\/42\/messages HTTP\/1\.1\r\n/);
    expect(posts[0]?.toLowerCase()).toContain("authorization: bearer t0ken");
  });

  test("that was lost on a kept connection is not made again by itself", async () => {
    answer = () => answered("200 OK", '{"messages":[{"id":"w"}]}');
    const client = clientOf();
    expect(await client.post(NUMBER, BODY)).toMatchObject({ kind: "accepted" });
    answer = () => null;
    expect(await client.post(NUMBER, BODY)).toMatchObject({ kind: "unanswered" });
    expect([posts.length, connections]).toEqual([2, 1]);
  });

  test("that was lost on a connection of its own is in doubt too", async () => {
    answer = () => null;
    expect(await clientOf().post(NUMBER, BODY)).toMatchObject({ kind: "unanswered" });
    expect(posts).toHaveLength(1);
  });

  test("that found nobody was certainly not read", async () => {
    const client = clientOf();
    await new Promise((resolve) => server.close(resolve));
    expect(await client.post(NUMBER, BODY)).toEqual({ kind: "not_read", error: phrase("network.refused") });
  });
});
