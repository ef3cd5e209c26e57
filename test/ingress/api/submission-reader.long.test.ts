import { afterEach, describe, expect, test } from "vitest";
import { type SubmissionReader, submissionReader } from "../../../src/ingress/api/submission-reader.ts";
import { SMALL_BYTES } from "../../../src/ingress/http/body.ts";
import { testClock } from "../../kit/test-clock.ts";
import { submission } from "./fixture.ts";

const clock = testClock();
const threads: Worker[] = [];
let reader: SubmissionReader;

/** A reader whose threads are counted; `file` may name another program than the real one. */
function start(source?: string): SubmissionReader {
  threads.length = 0;
  const url =
    source === undefined
      ? new URL("../../../src/ingress/api/submission-thread.ts", import.meta.url).href
      : URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  reader = submissionReader(() => {
    const thread = new Worker(url);
    threads.push(thread);
    return thread;
  }, clock);
  return reader;
}
afterEach(() => reader.stop());

const bytesOf = (value: unknown, size = 0) =>
  new Uint8Array(new TextEncoder().encode(JSON.stringify(value).padEnd(size, " ")));

describe("reading a submission", () => {
  test("starts no thread for a small one", async () => {
    const read = await start().read(bytesOf(submission(), SMALL_BYTES));
    expect([read.ok, threads.length]).toEqual([true, 0]);
  });

  // Keeps: behaviour 3.36, 4.27
  test.each([
    ["a number past 2^53", 2 ** 60, "fault.inexact"],
    ["a list", [1], "fault.value"],
    ["half of a surrogate pair", "\ud83d", "fault.unsendable"],
  ])(
    "names the one recipient of very many whose attribute is %s, in a thread or not",
    async (_, wrong, why) => {
      for (const count of [3, 20_000]) {
        const recipients = Array.from({ length: count }, (_, index) => ({
          msisdn: "70123456",
          attributes: { nom: "Awa", solde: index === count - 2 ? wrong : index },
        }));
        const read = await start().read(bytesOf(submission({ recipients })));
        expect(threads.length).toBe(count === 3 ? 0 : 1);
        const path = `/recipients/${count - 2}/attributes/solde`;
        expect(read).toMatchObject({
          value: {
            request: {
              ok: false,
              refusal: {
                code: "VALIDATION_FAILED",
                detail: { params: { path: path.slice(1) } },
                faults: [{ path, message: { code: why } }],
              },
            },
          },
        });
        reader.stop();
      }
    },
  );

  test("comes to the same whether a thread does it or not", async () => {
    const { read } = start();
    const recipients = [{ msisdn: "70123456", attributes: { nom: "Awa" } }, { msisdn: "x" }];
    const value = submission({ body: "Bonjour {nom}", recipients });
    const small = await read(bytesOf(value));
    const large = await read(bytesOf(value, SMALL_BYTES + 1));
    expect(threads.length).toBe(1);
    if (!small.ok || !large.ok || !small.value.request.ok || !large.value.request.ok)
      throw new Error("refused");
    expect(large.value.digest).toEqual(small.value.digest);
    const { recipients: packed, ...rest } = large.value.request.value;
    expect(rest).toEqual({ ...small.value.request.value, recipients: undefined } as never);
    expect(packed.slice(0, 2)).toEqual([recipients[0]!, { msisdn: "x", attributes: null } as never]);
  });

  test("takes one large body after the other, each for itself", async () => {
    const { read } = start();
    const verdicts = await Promise.all(
      [submission(), { sender: 1 }, submission({ body: "b" })].map(async (value) => {
        const outcome = await read(bytesOf(value, SMALL_BYTES + 1));
        return outcome.ok && outcome.value.request.ok ? outcome.value.request.value.body : "refused";
      }),
    );
    expect(verdicts).toEqual(["Bonjour", "refused", "b"]);
    expect(threads.length).toBe(1);
  });

  test("ends the thread when nothing large has come for ten seconds", async () => {
    const { read } = start();
    await read(bytesOf(submission(), SMALL_BYTES + 1));
    const ended = new Promise((resolve) => threads[0]?.addEventListener("close", resolve));
    await clock.advance(10_000);
    await ended;
    expect((await read(bytesOf(submission(), SMALL_BYTES + 1))).ok).toBe(true);
    expect(threads.length).toBe(2);
  });

  test("ends the thread at once after a body beyond 1 MB, which leaves much behind in it", async () => {
    const { read } = start();
    expect((await read(bytesOf(submission(), 1024 * 1024 + 1))).ok).toBe(true);
    expect((await read(bytesOf(submission(), SMALL_BYTES + 1))).ok).toBe(true);
    expect(threads.length).toBe(2);
  });

  test.each([
    ["throw new Error('at once')"],
    ["self.onmessage = () => process.exit(3)"],
    ["self.onmessage = () => { throw new Error('of it') }"],
  ])("fails when the thread dies, and the next body gets a new one (%s)", async (program) => {
    const { read } = start(program);
    for (const died of [1, 2]) {
      await expect(read(bytesOf(submission(), SMALL_BYTES + 1))).rejects.toThrow("the thread that reads");
      expect(threads.length).toBe(died);
    }
  });
});
