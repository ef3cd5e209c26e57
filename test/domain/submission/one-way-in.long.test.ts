/** The one way in, without HTTP: a caller that reads files of rows, has words of its own, and keeps every promise. */

import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FilledQueue, readQueuedBatch, readQueuedMessages } from "../../../src/domain/messages/queue.ts";
import { readBatchRequest } from "../../../src/domain/submission/request.ts";
import { dropAbandonedStaging, validator } from "../../../src/domain/submission/staging.ts";
import { type SubmissionAnswer, type SubmitDeps, submitter } from "../../../src/domain/submission/submit.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

let rig: Tenants;
let accountId: number;
let rung: string[];
beforeEach(async () => {
  rig = tenants(CONFIG);
  accountId = await rig.account();
  rung = [];
});
afterEach(() => rig.close());

const deps = (): SubmitDeps => ({
  ...rig.intake,
  onQueued: (batchId) => rung.push(`batch ${batchId} is queued`),
  onValidating: () => rung.push("a batch waits to be validated"),
});

type File = { readonly name: string; readonly text: string };

/** A file whose head names the number and the tags: `number,name`. */
const file = (rows: readonly string[], name = "march.csv"): File => ({
  name,
  text: ["number,name", ...rows].join("\n"),
});

function requestIn({ text }: File, sender: string) {
  const [head = "", ...rows] = text.split("\n");
  const [, ...tags] = head.split(",");
  return readBatchRequest({
    sender,
    body: "Bonjour {name}",
    message_class: "TRANSACTIONAL",
    recipients: rows.map((row) => {
      const [msisdn, ...values] = row.split(",");
      return { msisdn, attributes: Object.fromEntries(tags.map((tag, at) => [tag, values[at] ?? null])) };
    }),
  });
}

/** A process that takes files: each start of one knows nothing of the last but what the database does. */
function createUploads(changes: Partial<SubmitDeps> = {}) {
  const submit = submitter({ ...deps(), ...changes });
  return (submitted: File, sender = "ACME"): Promise<SubmissionAnswer> =>
    submit({
      accountId,
      key: {
        apiKeyId: 1,
        text: submitted.name,
        bodyDigest: new Bun.CryptoHasher("sha256").update(submitted.text).digest(),
      },
      request: requestIn(submitted, sender),
      replyTo: ({ ulid, status, sums, rejections }) => ({
        status: 0,
        text: [
          `${ulid} ${status}: ${sums.accepted} of ${sums.accepted + sums.rejected}, ${sums.amount} XOF`,
          ...rejections.map(({ position, reason }) => `row ${position + 1}: ${reason}`),
        ].join("\n"),
      }),
    });
}

function repliedTo(answer: SubmissionAnswer): string {
  if (answer.kind === "accepted" || answer.kind === "repeated") return answer.reply.text;
  throw new Error(answer.kind);
}

const MARCH = file(["70000001,Awa", "70000002,Issa", "70000001,Awa", "what,ever"]);

describe("a file of rows", () => {
  test("is handed over to whoever sends it as its queue would be read", async () => {
    const wide = { ...operator({ prefixes: ["22670"], price: 15 }) };
    const moov = operator({ prefixes: ["22671"], price: 20 });
    rig = tenants(configOf(document({ operators: { orange: wide, moov } })));
    accountId = await rig.account();
    const handed: (readonly FilledQueue[] | null)[] = [];
    const desk = createUploads({ ...deps(), onQueued: (_, filled) => handed.push(filled) });
    await desk(file(["70000001,Awa", "71000001,Issa", "70000001,Awa", "70000002,Zara"]));
    const read = readQueuedBatch(rig.store.read, 1).map((batch) => ({
      batch,
      messages: readQueuedMessages(rig.store.read, batch, rig.clock.nowMs(), 9),
    }));
    expect(read.map(({ messages }) => messages.length)).toEqual([1, 2]);
    const [places] = handed;
    expect(places?.toSorted((a, b) => (a.batch.operator < b.batch.operator ? -1 : 1))).toEqual(read);
  });

  test("is accepted with all that a renderer needs, in one transaction, in the words of whoever brought it", async () => {
    let writes = 0;
    const counting: SubmitDeps["store"] = {
      ...rig.store,
      write: (...job) => {
        writes += 1;
        return rig.store.write(...job);
      },
    };
    const answer = await createUploads({ store: counting })(MARCH);
    expect(answer).toMatchObject({
      kind: "accepted",
      batch: {
        status: "QUEUED",
        sums: { accepted: 2, rejected: 2, segments: 2, amount: 30 },
        rejections: [
          { position: 2, msisdn: "+22670000001", reason: "DUPLICATE_IN_BATCH" },
          { position: 3, msisdn: null, reason: "INVALID_MSISDN" },
        ],
      },
    });
    expect(repliedTo(answer)).toMatch(
      /^[0-9A-Z]{26} QUEUED: 2 of 4, 30 XOF\nrow 3: DUPLICATE_IN_BATCH\nrow 4: INVALID_MSISDN$/,
    );
    expect(writes).toBe(1);
    expect(rung).toEqual(["batch 1 is queued"]);
    expect(rig.wallet(accountId).reserved).toBe(30);
    expect(rig.message("70000002").text).toBe("Bonjour Issa");
  });

  test("that is brought again is answered as before, also by the next process, and is no second batch", async () => {
    const first = repliedTo(await createUploads()(MARCH));
    await rig.clock.advance(60_000);
    const again = await createUploads()(MARCH);
    expect(again).toEqual({ kind: "repeated", reply: { status: 0, text: first } });
    expect([rig.count("batches"), rig.count("messages"), rung.length]).toEqual([1, 2, 1]);
  });

  test("that was changed under its name is not taken for the first, nor sent", async () => {
    const bring = createUploads();
    await bring(MARCH);
    expect(await bring(file(["70000009,Awa"]))).toEqual({ kind: "key reused" });
    expect(rig.count("batches")).toBe(1);
  });

  test("that is brought twice at once is worked on once", async () => {
    const bring = createUploads();
    const both = await Promise.all([bring(MARCH), bring(MARCH)]);
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "in progress"]);
    expect(rig.count("batches")).toBe(1);
  });

  test("that is refused says why in a code and in words, and is taken once that is mended", async () => {
    const bring = createUploads();
    expect(await bring(file([]))).toMatchObject({ kind: "refused", refusal: { code: "BATCH_EMPTY" } });
    expect(await bring(MARCH, "NOBODY")).toMatchObject({
      kind: "refused",
      refusal: {
        code: "SENDER_NOT_APPROVED",
        detail: { params: { sender: "NOBODY" } },
      },
    });
    expect(await bring(MARCH, "")).toMatchObject({ refusal: { faults: [{ path: "/sender" }] } });
    expect([rig.count("batches"), rig.count("idempotency_records")]).toEqual([0, 0]);
    expect((await bring(MARCH)).kind).toBe("accepted");
  });

  test("that a failure broke off leaves nothing that counts, and its name free", async () => {
    const rows = Array.from({ length: 600 }, (_, at) => `${70_000_000 + at},Awa`);
    let writes = 0;
    const failing: SubmitDeps["store"] = {
      ...rig.store,
      write: (...job) => {
        writes += 1;
        return writes === 5 ? Promise.reject(new Error("the disk is gone")) : rig.store.write(...job);
      },
    };
    const bring = createUploads({ store: failing });
    await expect(bring(file(rows))).rejects.toThrow("the disk is gone");
    const answer = await bring(file(rows));
    expect(answer).toMatchObject({ kind: "accepted", batch: { sums: { accepted: 600, rejected: 0 } } });
    await dropAbandonedStaging(rig);
    expect([rig.count("batches"), rig.count("messages")]).toEqual([1, 600]);
  });
});

describe("a file of 100,000 rows", () => {
  const NUMBERS = 5000;
  const LARGE = file(
    Array.from({ length: 100_000 }, (_, at) => `${70_000_000 + (at % NUMBERS)},Awa`),
    "large.csv",
  );

  test("is kept and answered before it is validated, repeated meanwhile, and validated by the next process", async () => {
    const answer = await createUploads()(LARGE);
    expect(answer).toMatchObject({
      kind: "accepted",
      batch: { status: "VALIDATING", sums: { accepted: 0, rejected: 0 }, rejections: [] },
    });
    expect(rung).toEqual(["a batch waits to be validated"]);
    const kept = repliedTo(answer);
    expect(repliedTo(await createUploads()(LARGE))).toBe(kept);
    expect(await validator(deps()).next()).toBe(true);
    expect(rig.batch(1)).toMatchObject({ status: "QUEUED", accepted: NUMBERS, rejected: 100_000 - NUMBERS });
    expect(rung).toEqual(["a batch waits to be validated", "batch 1 is queued"]);
    expect(rig.wallet(accountId).reserved).toBe(NUMBERS * 15);
    expect(repliedTo(await createUploads()(LARGE))).toBe(kept);
  });
});
