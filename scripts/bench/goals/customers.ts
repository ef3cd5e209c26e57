import type { Appliance } from "../kit/appliance.ts";
import { addressOf } from "../kit/client.ts";
import { until, wallMs } from "../kit/clock.ts";
import { type Figures, type Goal, quantile, rounded } from "../kit/goal.ts";
import { meter } from "../kit/meter.ts";
import { openSession, type SmppLogin, type SmppSession, smppLoad } from "../kit/smpp-load.ts";
import { delays, PER_SECOND, steady, warm } from "./otp.ts";

const SESSIONS = 20;
const SUBMITS_PER_SECOND = 2_000;
/** Unanswered submits of a session, where they go as fast as they are answered. */
const WINDOW = 50;
/** Sent before anything is measured. */
const WARM = 3_000;
/** The first numbers that each is sent to; those of OTPs are lower. */
const STEADY = 1_000_000;
const FLAT_OUT = 3_000_000;
const WARMING = 5_000_000;
/** As many as connections without a bind that an address may have. */
const IDLE_USERS = 20;
const IDLE_EACH = 50;
/** As long as a session may be silent before it is asked whether it is there. */
const IDLE_SECONDS = 30;

const messageOf =
  (from: number) =>
  (index: number): readonly [string, string] => [
    `Votre commande ${from + index} est disponible au comptoir.`,
    addressOf(from + index),
  ];

const answersOf = (name: string, took: readonly number[]): Figures => ({
  [`${name}_p50_ms`]: rounded(quantile(took, 0.5), 2),
  [`${name}_p99_ms`]: rounded(quantile(took, 0.99), 2),
});

const receiptsOf = (sessions: readonly SmppSession[]): number =>
  sessions.reduce((sum, session) => sum + session.receipts(), 0);

/** What sessions cost in which nothing happens but enquire_link, beyond a server without any. */
async function idleSessions(
  appliance: Appliance,
  port: number,
  users: readonly SmppLogin[],
): Promise<Figures> {
  const cores = async (): Promise<number> => {
    const before = appliance.cpuSeconds();
    await Bun.sleep(IDLE_SECONDS * 1000);
    return (appliance.cpuSeconds() - before) / IDLE_SECONDS;
  };
  await Bun.sleep(2_000);
  const atRest = await cores();
  const beforeMib = appliance.memoryMib().now;
  const idle: SmppSession[] = [];
  for (let each = 0; each < IDLE_EACH; each++)
    idle.push(...(await Promise.all(users.map((user) => openSession(port, user)))));
  await Bun.sleep(2_000);
  const withIdle = await cores();
  const idleMib = appliance.memoryMib().now - beforeMib;
  for (const session of idle) session.close();
  await Bun.sleep(1_000);
  return {
    idle_sessions: idle.length,
    idle_percent_of_a_core: rounded((withIdle - atRest) * 100, 2),
    idle_mib: idleMib,
  };
}

export const q: Goal = {
  letter: "Q",
  what:
    `customers' SMPP: ${IDLE_USERS * IDLE_EACH} idle sessions; ${SESSIONS} at ${SUBMITS_PER_SECOND} submits a second beside OTPs of the ` +
    "API, then as fast as they are answered, receipts taken",
  size: 20_000,
  quick: 5_000,
  rig: { hasCustomers: true },
  run: async (rig, size) => {
    const [urgent, company] = [await rig.company(), await rig.company()];
    const users = Array.from({ length: IDLE_USERS }, (_, at) => company.smppUser(`bench${at}`));
    const appliance = await rig.startBoth();
    const port = rig.smppPort ?? 0;
    const idle = await idleSessions(appliance, port, users);
    const sessions = await Promise.all(users.slice(0, SESSIONS).map((user) => openSession(port, user)));
    await warm(rig, urgent);
    await smppLoad({ sessions, count: WARM, message: messageOf(WARMING), window: WINDOW });
    await until("warm", () => receiptsOf(sessions) >= WARM);
    await rig.centre("anew");

    const measured = await meter(appliance);
    let isOver = false;
    const otps = urgent.singles({ ...steady, from: 0, count: STEADY, isOver: () => isOver });
    const steadyMs = wallMs();
    const evenly = { sessions, count: size, message: messageOf(STEADY), window: 1_000 };
    const took = await smppLoad({ ...evenly, perSecond: SUBMITS_PER_SECOND });
    const steadySeconds = (wallMs() - steadyMs) / 1000;
    isOver = true;
    const shots = await otps;
    await until("all receipts", () => receiptsOf(sessions) >= WARM + size);
    const used = await measured(size + shots.length);
    const { otps: otpCount = null, p99_ms: otpP99 = null } = delays(shots, 0, await rig.centre("arrivals"));

    await rig.centre("anew");
    const fastMs = wallMs();
    const fastest = await smppLoad({ sessions, count: size, message: messageOf(FLAT_OUT), window: WINDOW });
    const answeredMs = wallMs();
    await until("all receipts", () => receiptsOf(sessions) >= WARM + 2 * size, { everyMs: 2 });
    const receiptedMs = wallMs();
    for (const session of sessions) session.close();
    return {
      submits_per_second: rounded((size * 1000) / (answeredMs - fastMs)),
      receipted_per_second: rounded((size * 1000) / (receiptedMs - fastMs)),
      ...answersOf("flat_out", fastest),
      steady_per_second: rounded(size / steadySeconds),
      ...answersOf("answer", took),
      [`otps_at_${PER_SECOND}`]: otpCount,
      otp_p99_ms: otpP99,
      ...idle,
      ...used,
    };
  },
};
