import { describe, expect, test } from "vitest";
import { ADMIN_COMMANDS } from "../../../src/admin/commands.ts";
import { configOf } from "../../config/sample.ts";
import type { Plan, Step } from "../plan.ts";
import { drawPlan, withOnly } from "./draw-plan.ts";
import { nextDocument } from "./next-document.ts";
import { isPeoples } from "./people.ts";
import { DEEDS, FAULTS, ONLY_BY_NAME } from "./switches.ts";

/** Faults that are no steps of a kind of their own. */
const NO_KINDS = [
  "whatsapp",
  "smpp clients",
  ...(["fates", "short of room", "masked numbers", "filling", "late answers", "silence", "outage"] as const),
  ...(["route troubles", "route changes"] as const),
] as const;

function isKind<Kind extends string>(fault: Kind): fault is Exclude<Kind, (typeof NO_KINDS)[number]> {
  return !NO_KINDS.some((name) => name === fault);
}

function plansOf(count: number, options = {}): readonly Plan[] {
  return Array.from({ length: count }, (_, seed) => drawPlan(seed, options));
}

const PLANS = plansOf(500);
const STEPS = PLANS.flatMap((plan) => plan.steps);
const SUBMITS = STEPS.filter((step) => step.kind === "submit");

/** A list of more than ten thousand names a few hundred again and again, and is beside what was asked for. */
function peopleIn({ length }: readonly unknown[]): number {
  return length > 10_000 ? 0 : length;
}

function recipientsOf(plan: Plan): number {
  return plan.steps.reduce(
    (sum, step) => sum + (step.kind === "submit" ? peopleIn(step.request.recipients) : 0),
    0,
  );
}

describe("a plan", () => {
  test("is the same for the same seed and options, and another for another seed", () => {
    for (const seed of [0, 1, 77, 4_000_000_000]) {
      expect(JSON.stringify(drawPlan(seed))).toBe(JSON.stringify(drawPlan(seed)));
    }
    expect(new Set(PLANS.slice(0, 100).map((plan) => JSON.stringify(plan))).size).toBe(100);
  });

  test("is data: written as JSON and read again it is the same", () => {
    for (const plan of PLANS.slice(0, 50)) expect(JSON.parse(JSON.stringify(plan))).toEqual(plan);
  });

  test("has its steps in the order of their times, each with an index of its own, all before the calm", () => {
    for (const { steps, calmAtMs } of PLANS) {
      const indices = steps.map(({ index }) => index).sort((one, other) => one - other);
      expect(indices).toEqual(steps.map((_, place) => place));
      expect(steps.every(({ atMs }, place) => atMs >= (steps[place - 1]?.atMs ?? 0))).toBe(true);
      expect(steps.every(({ atMs }) => atMs < calmAtMs && Number.isInteger(atMs))).toBe(true);
      expect(calmAtMs).toBeLessThan(75 * 60_000);
    }
  });

  test("has about as many recipients as were asked for", () => {
    for (const messages of [200, 1000, 3000]) {
      for (const plan of plansOf(30, { messages })) {
        expect(recipientsOf(plan)).toBeGreaterThan(messages * 0.5);
        expect(recipientsOf(plan)).toBeLessThan(messages * 1.5 + 40);
      }
    }
  });

  test("leaves out steps without changing the others", () => {
    const plan = drawPlan(3);
    const kept = withOnly(plan, [5, 2, 9]);
    expect(kept.steps).toEqual([2, 5, 9].map((index) => plan.steps[index]!));
    expect({ ...kept, steps: [] }).toEqual({ ...plan, steps: [] });
  });
});

describe("the configuration of a plan", () => {
  test("is one that the appliance takes, at the beginning and after each step that changes it", () => {
    for (const plan of PLANS) configOf(plan.document);
    for (const plan of PLANS.slice(0, 150)) {
      let document = plan.document;
      for (const step of plan.steps) {
        if (step.kind !== "settings" && step.kind !== "rename operator" && step.kind !== "retire operator")
          continue;
        document = nextDocument(document, step);
        configOf(document);
      }
    }
  });

  test("names centres that the plan has, and receivers and accounts that it has", () => {
    for (const plan of PLANS) {
      const hosts = [...JSON.stringify(plan.document).matchAll(/"host":"(\w+)\.invalid"/g)].map(
        ([, name]) => name,
      );
      const centres = new Set(plan.centres.map(({ name }) => name));
      expect(hosts.every((name) => name !== undefined && centres.has(name))).toBe(true);
      const receivers = new Set(plan.receivers.map(({ name }) => name));
      const accounts = new Set(plan.accounts.map(({ name }) => name));
      for (const step of plan.steps) {
        if ("centre" in step) expect(centres.has(step.centre)).toBe(true);
        if ("receiver" in step) expect(receivers.has(step.receiver)).toBe(true);
        if ("account" in step) expect(accounts.has(step.account)).toBe(true);
      }
    }
  });
});

describe("the commands of a plan", () => {
  test("are commands that there are, with arguments that they take", () => {
    const known = new Map(ADMIN_COMMANDS.map((command) => [command.name, command]));
    const setUps = PLANS.flatMap((plan) => plan.accounts.flatMap(({ setUp }) => setUp));
    const given = [...STEPS.filter((step) => step.kind === "command"), ...setUps];
    for (const { name, args } of given) {
      const command = known.get(name);
      expect(command, name).toBeDefined();
      const taken = [...command!.positionals, ...command!.flags].map((each) => each.name);
      expect(taken).toEqual(expect.arrayContaining(Object.keys(args)));
    }
  });
});

describe("what is drawn over many seeds", () => {
  test("holds every kind of step and trouble, often", () => {
    const counts = new Map<string, number>();
    for (const { kind } of PLANS.slice(0, 300).flatMap((plan) => plan.steps)) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const kinds: readonly Step["kind"][] = [
      ...([
        "submit",
        "read",
        "command",
        "cancel",
        "suspend",
        "pause",
        "top up",
        "rotate key",
        "webhook",
      ] as const),
      ...([
        "settings",
        "rename operator",
        "retire operator",
        "cloud habits",
        "template",
        "template moves",
        "template notice",
        "template quality",
        "whatsapp text",
        "whatsapp preference",
        "stop",
        "kill",
        "habits",
        "drop",
        "sync fails",
      ] as const),
      ...(["half open", "slow link", "stall", "unreachable", "unbind", "garbage", "mo"] as const),
      ...(["receiver habits", "disk", "clock", "busy"] as const),
      ...(["smpp text", "smpp drop"] as const),
    ];
    for (const kind of kinds) expect(counts.get(kind) ?? 0, kind).toBeGreaterThan(30);
    expect([...counts.keys()].sort()).toEqual([...kinds].sort());
  });

  test("combines kinds differently: each pair of faults meets in some seeds, and is apart in others", () => {
    const sets = PLANS.map(({ steps }) => new Set<string>(steps.map(({ kind }) => kind)));
    const faults = FAULTS.filter(isKind).filter((fault) => !ONLY_BY_NAME.includes(fault));
    for (const one of faults) {
      for (const other of faults) {
        if (one === other) continue;
        expect(
          sets.some((kinds) => kinds.has(one) && kinds.has(other)),
          `${one} with ${other}`,
        ).toBe(true);
        expect(
          sets.some((kinds) => kinds.has(one) && !kinds.has(other)),
          `${one} without ${other}`,
        ).toBe(true);
      }
    }
  });

  test("has submissions of every sort", () => {
    const has = (sort: string, isOne: (step: (typeof SUBMITS)[number]) => boolean) =>
      expect(SUBMITS.filter(isOne).length, sort).toBeGreaterThan(20);
    has("small", ({ request }) => request.recipients.length <= 20);
    has("staged", ({ request }) => request.recipients.length > 250);
    has("scheduled", ({ request }) => (request.scheduledInMs ?? 0) > 0);
    has("in the past", ({ request }) => (request.scheduledInMs ?? 0) < 0);
    has("local time", ({ request }) => request.timezone !== undefined);
    has("tags", ({ request }) => request.recipients.some(({ attributes }) => attributes !== undefined));
    has("long", ({ request }) => request.body.length > 306);
    has("without a key", ({ idempotencyKey }) => idempotencyKey === null);
    has("repeated", ({ afterwards }) => afterwards === "repeat");
    has("another body", ({ afterwards }) => afterwards === "another body");
    has("test", ({ request }) => request.is_test === true);
    for (const fate of ["lost", "answer lost", "cut", "slow"] as const)
      has(fate, ({ fates }) => fates.includes(fate));
    for (const message_class of ["OTP", "TRANSACTIONAL", "MARKETING"] as const) {
      has(message_class, ({ request }) => request.message_class === message_class);
    }
  });

  test("has accounts and networks of every sort", () => {
    const accounts = PLANS.flatMap((plan) => plan.accounts);
    expect(new Set(accounts.map(({ billing }) => billing)).size).toBe(2);
    expect(new Set(accounts.map(({ chargeOn }) => chargeOn)).size).toBe(3);
    expect(
      accounts.filter(({ billing, funds }) => billing === "prepaid" && funds < 4001).length,
    ).toBeGreaterThan(20);
    const isReseller = (plan: Plan) =>
      plan.centres.length < Object.keys(plan.document.operators as object).length;
    expect(PLANS.filter(isReseller).length).toBeGreaterThan(20);
  });

  test("sends above 10,000 recipients in some; to so many people only where so many are allowed", () => {
    const largeIn = ({ steps }: Plan) =>
      steps.flatMap((step) =>
        step.kind === "submit" && step.request.recipients.length > 10_000 ? [step.request.recipients] : [],
      );
    const peopleOf = (list: readonly { readonly msisdn: string }[]) =>
      new Set(list.map(({ msisdn }) => msisdn)).size;
    const many = plansOf(20, { messages: 12_000 }).flatMap(largeIn);
    expect(many.filter((list) => peopleOf(list) > 5000).length).toBeGreaterThan(1);
    const few = PLANS.flatMap(largeIn);
    expect(few.length).toBeGreaterThan(10);
    expect(few.filter((list) => peopleOf(list) > 301)).toEqual([]);
  });
});

describe("faults by name", () => {
  test("are drawn alone, and none of an empty list", () => {
    for (const plan of plansOf(40, { faults: [] })) {
      expect(plan.steps.filter((step) => !isPeoples(step)).every(({ kind }) => kind === "settings")).toBe(
        true,
      );
      expect(plan.steps.every((step) => step.kind !== "submit" || step.fates.length === 0)).toBe(true);
      expect(plan.centres.every(({ habits }) => habits.ignore + habits.swallow + habits.refuse === 0)).toBe(
        true,
      );
    }
    const kinds = new Set(
      plansOf(40, { faults: ["kill"] })
        .flatMap(({ steps }) => steps)
        .map(({ kind }) => kind),
    );
    expect(FAULTS.filter((fault) => isKind(fault) && kinds.has(fault))).toEqual(["kill"]);
  });

  test("mask the numbers of receipts only where that is asked for by name", () => {
    const masks = (options: object) =>
      plansOf(20, options).flatMap(({ centres }) =>
        centres.map(({ habits }) => habits.masksNumbers ?? false),
      );
    expect(new Set(masks({}))).toEqual(new Set([false]));
    expect(masks({ faults: ["masked numbers"] })).toContain(true);
  });

  test("and deeds have names of their own", () => {
    expect(new Set([...FAULTS, ...DEEDS]).size).toBe(FAULTS.length + DEEDS.length);
  });
});

describe("a text", () => {
  test("belongs to one batch, or to one that says the same on purpose: its token tells", () => {
    for (const plan of PLANS) {
      const owners = new Map<string, string>();
      for (const step of plan.steps) {
        if (step.kind !== "submit" || step.request.body === "{name}") continue;
        // Texts of WhatsApp are templates'.
        if (step.request.channel === "WHATSAPP") continue;
        const token = step.request.body.split(" ")[0] ?? "";
        expect(token).toMatch(/^#[0-9a-z]+$/);
        expect(owners.get(token) ?? step.request.body).toBe(step.request.body);
        owners.set(token, step.request.body);
      }
    }
  });
});
