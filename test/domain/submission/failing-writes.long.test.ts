import { expect, test } from "vitest";
import type { Job } from "../../../src/db/writer.ts";
import { changeAccount } from "../../../src/domain/accounts/accounts.ts";
import type { MessageClass } from "../../../src/domain/accounts/message-class.ts";
import { dropAbandonedStaging } from "../../../src/domain/submission/staging.ts";
import { configOf, document, operator } from "../../config/sample.ts";
import { rememberedSends } from "../../kit/remembered-sends.ts";
import { type Tenants, tenants } from "../../kit/tenants.ts";

const CONFIG = configOf(document({ operators: { orange: operator({ prefixes: ["22670"], price: 15 }) } }));

/** What a full disk makes of a statement (sqlite.org/rescode.html#full). */
const full = () => Object.assign(new Error("database or disk is full"), { code: "SQLITE_FULL" });

/** The disk takes `left` more statements and then none, until it is mended. */
function failingDisk(rig: Tenants, left: number) {
  const { write } = rig.store;
  let statements = 0;
  let isMended = false;
  const count = () => {
    statements += 1;
    if (!isMended && statements > left) throw full();
  };
  const failing = <T>(job: Job<T>, ...durable: []) =>
    write(
      (tx) =>
        job({
          ...tx,
          run: (sql, ...params) => {
            count();
            return tx.run(sql, ...params);
          },
          insert: (sql, ...params) => {
            count();
            return tx.insert(sql, ...params);
          },
        }),
      ...durable,
    );
  Object.assign(rig.store, { write: failing });
  return {
    statements: () => statements,
    mend: () => {
      isMended = true;
    },
  };
}

/** Submits as often as it takes over a disk that fails after so many statements, and tells what is there in the end. */
async function submitted(size: number, messageClass: MessageClass, left = Number.POSITIVE_INFINITY) {
  const rig = tenants(CONFIG);
  try {
    const id = await rig.account();
    const ceilings = { recipientsPerDay: size, recipientsPerMinute: size };
    const caps = { marketingPerDay: 1, marketingPerWeek: 1 };
    await rig.store.write((tx) => changeAccount(tx, id, { ...ceilings, ...caps }));
    const disk = failingDisk(rig, left);
    const numbers = Array.from({ length: size }, (_, index) => String(70_000_000 + index));
    const first = await rig.send(id, messageClass, numbers).catch((error: unknown) => String(error));
    const statements = disk.statements();
    disk.mend();
    const batchId = typeof first === "number" ? first : await rig.send(id, messageClass, numbers);
    const { status, accepted, rejected } = rig.batch(batchId);
    while (await dropAbandonedStaging(rig)) {
      // Until nothing is left.
    }
    const over = await rig.send(id, messageClass, ["70999999"], { body: "One more" });
    const rows = [...["messages", "ledger"].map(rig.count), rememberedSends(rig.store.read)];
    const figures = {
      status,
      accepted,
      rejected,
      over: rig.batch(over).accepted,
      wallet: rig.wallet(id),
      rows,
    };
    return { first, figures, statements };
  } finally {
    await rig.close();
  }
}

// Keeps: behaviour 6.70
test.each([
  [3, "MARKETING"],
  [520, "MARKETING"],
  [520, "OTP"],
] as const)(
  "whichever statement of a submission of %d (%s) the disk does not take, sent again it comes to what it would have",
  async (size, messageClass) => {
    const whole = await submitted(size, messageClass);
    expect(whole.figures).toMatchObject({ status: "QUEUED", accepted: size, rejected: 0, over: 0 });
    // Of its beginning and its end all, and some of what lies between.
    const step = Math.max(1, Math.floor(whole.statements / 4));
    const some = Array.from({ length: whole.statements }, (_, at) => at).filter(
      (at) => at < 2 || at % step === 0 || whole.statements - at < 8,
    );
    let failed = 0;
    for (const left of some) {
      const { first, figures } = await submitted(size, messageClass, left);
      expect({ left, ...figures }).toEqual({ left, ...whole.figures });
      if (typeof first === "string") failed += 1;
    }
    expect(failed).toBe(some.length);
  },
);
