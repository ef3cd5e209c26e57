import type { Socket } from "node:net";
import type { Appliance } from "./appliance.ts";
import { type Attack, expectAll } from "./attack.ts";
import { connection, said } from "./raw.ts";

/** No slow client may keep a connection for longer than this. */
const MAX_MS = 50_000;

type Slow = {
  /** What is sent at once, and then byte by byte, one a second. */
  readonly first: string;
  readonly drip: string;
};

/** Opens `count` connections that send slowly; what came on each until it was closed, or "open" after the longest time. */
async function slowly(port: number, count: number, { first, drip }: Slow): Promise<string> {
  const began = performance.now();
  let longest = 0;
  const follow = (socket: Socket): Promise<string> =>
    new Promise((resolve) => {
      let text = "";
      const dripping = drip === "" ? null : setInterval(() => socket.write(drip), 1000);
      const late = setTimeout(() => socket.destroy(), MAX_MS);
      socket.on("data", (chunk) => {
        text += chunk.toString("latin1");
      });
      socket.on("close", () => {
        if (dripping) clearInterval(dripping);
        clearTimeout(late);
        const ms = performance.now() - began;
        longest = Math.max(longest, ms);
        resolve(ms >= MAX_MS ? "still open" : said(text, true).verdict);
      });
      socket.write(first);
    });
  const ends: Promise<string>[] = [];
  for (let opened = 0; opened < count; opened++) {
    ends.push(follow(connection(port)));
    if (opened % 100 === 99) await Bun.sleep(20);
  }
  const verdicts = expectAll(
    await Promise.all(ends),
    /^(nothing|422 VALIDATION_FAILED|401 UNAUTHORIZED|503 SERVICE_UNAVAILABLE)$/,
  );
  return `${verdicts}, the last closed after ${Math.round(longest / 1000)} s`;
}

const head = (apiKey: string, length: number) =>
  `POST /public/v1/batches HTTP/1.1\r\nHost: h\r\nX-API-Key: ${apiKey}\r\nIdempotency-Key: s\r\n` +
  `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;

const slow = (name: string, count: number, speech: (appliance: Appliance) => Slow): Attack => ({
  name: `${count} connections: ${name}`,
  run: (appliance) => slowly(appliance.port, count, speech(appliance)),
});

/** Clients that take their time. */
export const slowClients: readonly Attack[] = [
  slow("nothing is sent", 2000, () => ({ first: "", drip: "" })),
  slow("a head, one byte a second", 2000, () => ({ first: "GET /health/live HTTP/1.1\r\nX: ", drip: "a" })),
  slow("a body, one byte a second", 2000, ({ apiKey }) => ({ first: head(apiKey, 10_000), drip: " " })),
  slow("bodies that stop half-way", 2000, ({ apiKey }) => ({
    first: `${head(apiKey, 2000)}${" ".repeat(1000)}`,
    drip: "",
  })),
  slow("large bodies that stop half-way", 200, ({ apiKey }) => ({
    first: `${head(apiKey, 60_000_000)}${" ".repeat(300_000)}`,
    drip: "",
  })),
  slow("no key, and a body of one byte a second", 500, () => ({ first: head("x", 10_000), drip: " " })),
  { name: "two accounts, large chunked bodies that drip, and a large one of a third", run: drippers },
  { name: "200 readers of 100,000 rejections that stop reading", run: slowReaders },
];

const READERS = 200;
/** Forty idle seconds count from the last byte that a socket took, and filling 200 of them takes its time. */
const MAX_READERS_MS = 90_000;

async function slowReaders({ port, apiKey, peakMemory, openFiles }: Appliance): Promise<string> {
  const base = `http://127.0.0.1:${port}/public/v1/batches`;
  const headers = { "x-api-key": apiKey, "content-type": "application/json", "idempotency-key": "rejected" };
  const recipients = Array.from({ length: 100_000 }, (_, index) => ({ msisdn: `x${index}` }));
  const body = JSON.stringify({ sender: "ACME", body: "x", message_class: "TRANSACTIONAL", recipients });
  const answer = await fetch(base, { method: "POST", headers, body });
  const { data } = (await answer.json()) as { data: { batch_id: string } };
  const ended = async () =>
    ((await (await fetch(`${base}/${data.batch_id}`, { headers })).json()) as { data: { status: string } })
      .data.status !== "VALIDATING";
  while (!(await ended())) await Bun.sleep(200);
  peakMemory();
  const before = { memory: peakMemory(), files: openFiles() };
  const began = performance.now();
  const request = `GET /public/v1/batches/${data.batch_id} HTTP/1.1\r\nHost: h\r\nX-API-Key: ${apiKey}\r\n\r\n`;
  let received = 0;
  const sockets = await Promise.all(
    Array.from({ length: READERS }, () =>
      Bun.connect({
        hostname: "127.0.0.1",
        port,
        socket: {
          open: (socket) => {
            socket.write(request);
            socket.pause();
          },
          data: (socket, chunk) => {
            received += chunk.byteLength;
            socket.pause();
          },
        },
      }),
    ),
  );
  await Bun.sleep(5000);
  const taken = openFiles() - before.files;
  peakMemory();
  await Bun.sleep(1000);
  const grown = peakMemory() - before.memory;
  while (openFiles() - before.files > READERS / 2 && performance.now() - began < MAX_READERS_MS)
    await Bun.sleep(500);
  const left = Math.max(0, openFiles() - before.files);
  const seconds = Math.round((performance.now() - began) / 1000);
  for (const socket of sockets) socket.terminate();
  const came =
    `${taken} connections held, ${left} left after ${seconds} s, memory grew by ${grown} MiB,` +
    ` ${Math.round(received / 1024)} KiB read`;
  if (left > READERS / 2 || grown > 100) throw new Error(came);
  return came;
}

/** How long a large body may take beside bodies of others that drip. */
const MAX_BESIDE_MS = 5000;

/**
 * Two accounts open ever new chunked bodies that stop after `first` bytes and drip; a third submits a large body every
 * second. Each of its submissions must be taken, soon.
 */
async function drippers({ port, apiKey, keys }: Appliance): Promise<string> {
  const worst: string[] = [];
  // Little more than is small, and as much as fills the budget.
  for (const first of [70_000, 40_000_000]) {
    let isOver = false;
    let broken = 0;
    const dripOn = async (key: string): Promise<void> => {
      while (!isOver) {
        await new Promise<void>((resolve) => {
          const socket = connection(port);
          const dripping = setInterval(() => (isOver ? socket.destroy() : socket.write("1\r\n \r\n")), 1000);
          socket.on("data", () => {});
          socket.on("close", () => {
            clearInterval(dripping);
            broken += 1;
            resolve();
          });
          socket.write(
            `POST /public/v1/batches HTTP/1.1\r\nHost: h\r\nX-API-Key: ${key}\r\nIdempotency-Key: drip\r\n` +
              `Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${first.toString(16)}\r\n`,
          );
          socket.write(Buffer.alloc(first, " "));
          socket.write("\r\n");
        });
      }
    };
    const dripping = [apiKey, keys.second].flatMap((key) => [1, 2].map(() => dripOn(key)));
    await Bun.sleep(2000);
    let longest = 0;
    for (let submission = 0; submission < 8; submission++) {
      const began = performance.now();
      const answer = await fetch(`http://127.0.0.1:${port}/public/v1/batches`, {
        method: "POST",
        headers: {
          "x-api-key": keys.other,
          "content-type": "application/json",
          "idempotency-key": `beside-${first}-${submission}`,
        },
        body: JSON.stringify({
          sender: "ACME",
          body: `Beside ${first} ${submission}`,
          message_class: "TRANSACTIONAL",
          recipients: Array.from({ length: 8000 }, (_, index) => ({ msisdn: `7${5_000_000 + index}` })),
        }),
      });
      const ms = performance.now() - began;
      longest = Math.max(longest, ms);
      if (answer.status !== 202) throw new Error(`${answer.status} after ${Math.round(ms)} ms beside drips`);
      await Bun.sleep(1000);
    }
    isOver = true;
    await Promise.all(dripping);
    worst.push(`${Math.round(longest)} ms at most beside drips of ${first} bytes (${broken} of them ended)`);
    if (longest > MAX_BESIDE_MS) throw new Error(worst.join(", "));
  }
  return `16 × 202, ${worst.join(", ")}`;
}
