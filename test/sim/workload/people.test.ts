import { describe, expect, test } from "vitest";
import type { CommandOutcome, HttpAnswer, HttpRequest } from "../actors.ts";
import { forked } from "../chance.ts";
import { stillClock } from "../kit.ts";
import type { Plan, Step } from "../plan.ts";
import { drawPlan } from "./draw-plan.ts";
import { isPeoples, openPeople } from "./people.ts";

const BATCH = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
const OTHER_BATCH = "01BX5ZZKBKACTAV9WEVGEMMVRZ";

function answered(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpAnswer {
  return { status, headers, body: JSON.stringify(body) };
}

const ACCEPTED = answered(202, { data: { batch_id: BATCH } });
const DONE: CommandOutcome = { ok: true, data: {} };

type Given = { readonly name: string; readonly args: Readonly<Record<string, string>> };

/** What stands in the place of the appliance: the next answers in their order, then the usual one. */
type Fake = {
  readonly answers?: (request: HttpRequest, place: number) => HttpAnswer | null | undefined;
  readonly outcomes?: (given: Given, place: number) => CommandOutcome | null | undefined;
};

/** One account, its people, and what they asked and commanded. */
function stage(steps: readonly Step[], { answers, outcomes }: Fake = {}, changes: Partial<Plan> = {}) {
  const clock = stillClock();
  const requests: (HttpRequest & { readonly atMs: number })[] = [];
  const commands: Given[] = [];
  let keys = 0;
  const [account] = drawPlan(1).accounts;
  const plan: Plan = {
    ...drawPlan(1),
    accounts: [{ ...account!, name: "kaya", senders: ["ACME"], endpoints: [], setUp: [] }],
    receivers: [],
    steps,
    ...changes,
  };
  const people = openPeople(
    plan,
    { clock, chance: forked(1), observe: () => {} },
    {
      ask: async (request) => {
        requests.push({ ...request, atMs: clock.nowMs() });
        const answer = answers?.(request, requests.length - 1);
        return answer === undefined ? answered(200, { data: {} }) : answer;
      },
      command: async (name, args) => {
        commands.push({ name, args });
        const outcome = outcomes?.({ name, args }, commands.length - 1);
        if (outcome !== undefined) return outcome;
        return name === "key create" ? { ok: true, data: { api_key: `bdr_key${++keys}_secret` } } : DONE;
      },
    },
  );
  const over = async (doing: Promise<void>) => {
    let isOver = false;
    const ending = doing.then(() => {
      isOver = true;
    });
    for (let turns = 0; turns < 10_000 && !isOver; turns++) await clock.passSettling(100);
    await ending;
  };
  const perform = async (step: Step) => {
    if (!isPeoples(step)) throw new Error(`${step.kind} is the world's`);
    await over(people.perform(step));
  };
  return { plan, people, clock, requests, commands, over, perform, setUp: () => over(people.setUp()) };
}

type SubmitStep = Extract<Step, { readonly kind: "submit" }>;

function submission(changes: Partial<SubmitStep> = {}): SubmitStep {
  return {
    index: 0,
    atMs: 0,
    kind: "submit",
    account: "kaya",
    idempotencyKey: "key-0",
    request: {
      sender: "ACME",
      body: "#0 ok",
      message_class: "OTP",
      recipients: [{ msisdn: "+22670000001" }],
    },
    fates: [],
    tries: 5,
    afterwards: "nothing",
    ...changes,
  };
}

const posts = <Request extends HttpRequest>(requests: readonly Request[]) =>
  requests.filter(({ path }) => path.endsWith("/batches"));

describe("a client that submits", () => {
  test("repeats the same body under the same key until it is answered, and with the fates that were planned", async () => {
    const { requests, perform, setUp } = stage([], {
      answers: ({ fate }) => (fate === "lost" || fate === "answer lost" ? null : ACCEPTED),
    });
    await setUp();
    await perform(submission({ fates: ["lost", "answer lost"] }));
    const made = posts(requests);
    expect(made.map(({ fate }) => fate)).toEqual(["lost", "answer lost", "well"]);
    expect(new Set(made.map(({ body }) => body)).size).toBe(1);
    expect(new Set(made.map(({ headers }) => headers["idempotency-key"]))).toEqual(new Set(["key-0"]));
    expect(made.every(({ headers }) => headers["x-api-key"] === "bdr_key1_secret")).toBe(true);
  });

  test("waits as long as it is asked to, and takes a refusal for the answer that it is", async () => {
    const busy = answered(409, { code: "REQUEST_IN_PROGRESS" }, { "retry-after": "7" });
    const { requests, perform, setUp } = stage([], {
      answers: (_, place) => (place === 0 ? busy : answered(409, { code: "IDEMPOTENCY_KEY_REUSED" })),
    });
    await setUp();
    await perform(submission());
    const made = posts(requests);
    expect(made).toHaveLength(2);
    expect(made[1]!.atMs - made[0]!.atMs).toBeGreaterThanOrEqual(7000);
  });

  test("gives up after its tries, and does nothing afterwards", async () => {
    const { requests, perform, setUp } = stage([], { answers: () => null });
    await setUp();
    await perform(submission({ tries: 4, afterwards: "repeat" }));
    expect(posts(requests)).toHaveLength(4);
  });

  test("sends another body under the same key where the plan says so", async () => {
    const { requests, perform, setUp } = stage([], { answers: () => ACCEPTED });
    await setUp();
    await perform(submission({ afterwards: "another body" }));
    const [first, second] = posts(requests);
    expect(second!.headers["idempotency-key"]).toBe(first!.headers["idempotency-key"]!);
    expect(second!.body).not.toBe(first!.body);
  });

  test("writes a schedule as an instant or as local time of a timezone", async () => {
    const { requests, perform, setUp, clock } = stage([], { answers: () => ACCEPTED });
    await setUp();
    const { request } = submission();
    await perform(submission({ request: { ...request, scheduledInMs: 3_600_000 } }));
    await perform(
      submission({ request: { ...request, scheduledInMs: 3_600_000, timezone: "Asia/Kathmandu" } }),
    );
    const bodies = posts(requests).map(({ body }) => JSON.parse(body!));
    expect(Date.parse(bodies[0].scheduled_at)).toBeGreaterThan(clock.nowMs());
    const localMs = Date.parse(`${bodies[1].scheduled_at}+05:45`);
    expect(Math.abs(localMs - Date.parse(bodies[0].scheduled_at))).toBeLessThan(2000);
    expect(bodies[1].timezone).toBe("Asia/Kathmandu");
  });
});

describe("a client that reads", () => {
  test("follows its feed page by page and goes on where it stopped", async () => {
    const page = (messages: number, next: string, has_more: boolean) =>
      answered(200, {
        data: {
          messages: Array.from({ length: messages }, (_, index) => ({ message_id: `${next} ${index}` })),
          next_status_changed_since: next,
          has_more,
        },
      });
    const { requests, perform, setUp } = stage([], {
      answers: (_, place) => [page(2, "one", true), page(1, "two", false), page(0, "two", false)][place],
    });
    await setUp();
    const read: Step = { index: 1, atMs: 0, kind: "read", account: "kaya", what: "feed" };
    await perform(read);
    await perform(read);
    const since = requests.map(({ path }) =>
      new URL(path, "http://a").searchParams.get("status_changed_since"),
    );
    expect(since).toEqual(["2000-01-01T00:00:00Z", "one", "two"]);
  });
});

describe("an administrator", () => {
  test("gives a command again that was broken off, but not one that would count twice", async () => {
    const stopping: CommandOutcome = { ok: false, code: "STOPPING", detail: "" };
    const { commands, perform } = stage([], {
      outcomes: (_, place) => (place === 0 ? null : place === 1 ? stopping : DONE),
    });
    const price = { ACCOUNT: "kaya", operator: "orange", amount: "5" };
    await perform({ index: 0, atMs: 0, kind: "command", name: "price set", args: price });
    expect(commands.map(({ name }) => name)).toEqual(["price set", "price set", "price set"]);
    const broken = stage([], { outcomes: () => null });
    const adjust = { ACCOUNT: "kaya", AMOUNT: "+5", reason: "x" };
    await broken.perform({ index: 0, atMs: 0, kind: "command", name: "wallet adjust", args: adjust });
    expect(broken.commands).toHaveLength(1);
  });

  test("sets an account up over deaths, and gives the client a key whose secret it saw", async () => {
    const seen = new Set<string>();
    const { commands, requests, setUp, perform } = stage([], {
      outcomes: ({ name }) => {
        if (seen.has(name))
          return name === "account create" ? { ok: false, code: "NAME_TAKEN", detail: "" } : undefined;
        seen.add(name);
        return null;
      },
    });
    await setUp();
    const names = commands.map(({ name }) => name);
    for (const name of [
      "account create",
      "sender request",
      "sender approve",
      "sender register",
      "key create",
    ]) {
      expect(names.filter((each) => each === name).length, name).toBeGreaterThan(1);
    }
    await perform({ index: 0, atMs: 0, kind: "read", account: "kaya", what: "balance" });
    expect(requests.at(-1)).toMatchObject({ client: "kaya", headers: { "x-api-key": "bdr_key1_secret" } });
  });

  test("cancels a batch that the client has, as does the client itself, and ends a suspension that he began", async () => {
    const { commands, perform, requests, setUp } = stage([], { answers: () => ACCEPTED });
    await setUp();
    await perform(submission());
    await perform({ index: 3, atMs: 0, kind: "cancel", account: "kaya" });
    expect(commands.at(-1)).toMatchObject({ name: "batch cancel", args: { BATCH } });
    await perform({ index: 6, atMs: 0, kind: "cancel", account: "kaya" });
    expect(requests.at(-1)).toMatchObject({ method: "POST", path: `/public/v1/batches/${BATCH}/cancel` });
    await perform({ index: 4, atMs: 0, kind: "suspend", account: "kaya", forMs: 5000 });
    expect(commands.slice(-2).map(({ name }) => name)).toEqual(["account suspend", "account resume"]);
  });

  test("ends a suspension that he began, however long nobody is there to be told", async () => {
    const { commands, perform, setUp } = stage([], {
      outcomes: ({ name }, place) => (name === "account resume" && place < 60 ? null : undefined),
    });
    await setUp();
    await perform({ index: 0, atMs: 0, kind: "suspend", account: "kaya", forMs: 5000 });
    expect(commands.length).toBeGreaterThan(60);
  });

  test("resumes what he paused under the name that it was given meanwhile", async () => {
    const { people, clock, commands, over } = stage([], {
      outcomes: ({ name, args }) =>
        name === "operator resume" && args.CODE === "telecel"
          ? { ok: false, code: "OPERATOR_UNKNOWN", detail: "" }
          : undefined,
    });
    const pausing = people.perform({
      index: 3,
      atMs: 0,
      kind: "pause",
      code: "telecel",
      isFirst: false,
      forMs: 9000,
    });
    await clock.passSettling(100);
    await over(
      people.perform({
        index: 4,
        atMs: 0,
        kind: "rename operator",
        from: "telecel",
        to: "telecel2",
        downMs: 0,
      }),
    );
    await over(pausing);
    expect(commands.map(({ name, args }) => `${name} ${args.CODE ?? args.NEW}`)).toEqual([
      "operator pause telecel",
      "operator rename telecel2",
      "operator resume telecel",
      "operator resume telecel2",
    ]);
  });

  test("disables an endpoint by command where the plan says so, else the client does it itself", async () => {
    const receiver = {
      name: "receiver1",
      url: "https://receiver1.example/hook",
      habits: drawPlan(1).receivers[0]?.habits,
    };
    const { commands, requests, perform, setUp } = stage(
      [],
      {
        answers: ({ path }) =>
          path.endsWith("/webhooks") ? answered(201, { data: { webhook_id: BATCH } }) : undefined,
      },
      { receivers: [receiver as Plan["receivers"][number]] },
    );
    await setUp();
    const step = {
      index: 0,
      atMs: 0,
      kind: "webhook",
      account: "kaya",
      receiver: "receiver1",
      events: null,
    } as const;
    await perform({ ...step, what: "register" });
    await perform({ ...step, what: "disable" });
    expect(requests.at(-1)!.path).toBe(`/public/v1/webhooks/${BATCH}/disable`);
    await perform({ ...step, what: "disable", byCommand: true });
    expect(commands.at(-1)).toMatchObject({ name: "webhook disable", args: { WEBHOOK: BATCH } });
  });

  test("revokes the old key only when the client has another", async () => {
    const { commands, perform, setUp } = stage([]);
    await setUp();
    await perform({ index: 0, atMs: 0, kind: "rotate key", account: "kaya" });
    expect(commands.at(-1)).toEqual({ name: "key revoke", args: { KEY_ID: "key1" } });
  });
});

describe("the closing questions", () => {
  test("ask for every batch that there is, also those whose answers were lost, and for the books", async () => {
    const { commands, requests, over, people, setUp } = stage([], {
      answers: () => undefined,
      outcomes: ({ name, args }) => {
        if (name !== "batch list") return undefined;
        const data =
          args.before === undefined
            ? { batches: [{ batch_id: BATCH }], next_before: BATCH }
            : { batches: [{ batch_id: OTHER_BATCH }], next_before: null };
        return { ok: true, data };
      },
    });
    await setUp();
    await over(people.askEverything());
    const paths = requests.map(({ path }) => path);
    for (const id of [BATCH, OTHER_BATCH]) {
      expect(paths).toContain(`/public/v1/batches/${id}`);
      expect(paths.some((path) => path.includes(`batch_id=${id}`))).toBe(true);
    }
    expect(paths).toEqual(
      expect.arrayContaining(["/public/v1/account/balance", "/public/v1/webhooks", "/health"]),
    );
    const names = commands.map(({ name }) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        "ledger check",
        "wallet show",
        "wallet statement",
        "operator unanswered",
        "audit list",
      ]),
    );
  });
});
