import { describe, expect, test } from "vitest";
import { audit } from "../audit.ts";
import { accepted, delivered, idOf, opening, page, type Scene, SUBMISSION, settled } from "../scene.ts";
import { linkTo } from "../wire-scene.ts";
import { eventsTold } from "./events-told.ts";
import { eventsTrue, signatureOf } from "./events-true.ts";

const URL = "https://one.example/hook";
const SECRET = `whsec_${Buffer.from("a".repeat(32)).toString("base64")}`;
const OTHER = `whsec_${Buffer.from("b".repeat(32)).toString("base64")}`;

/** Two accounts; the first has an endpoint and submits a batch of two. */
function begin(more: readonly string[] = [], changes: Readonly<Record<string, unknown>> = {}): Scene {
  const run = opening(["alpha", "beta"]);
  const data = {
    webhook_id: idOf(700),
    url: URL,
    events: ["MESSAGE_TERMINAL", ...more],
    status: "ENABLED",
    secret: SECRET,
  };
  run.ask(
    { client: "alpha", method: "POST", path: "/webhooks", body: { url: URL } },
    { status: 201, json: { data } },
  );
  run.wait();
  const asked = {
    client: "alpha",
    method: "POST",
    path: "/batches",
    headers: { "idempotency-key": "k1" },
  } as const;
  run.ask({ ...asked, body: SUBMISSION }, accepted(idOf(1), changes));
  return run;
}

let seen = 0;

type Changes = {
  readonly event_id?: string;
  readonly account_id?: string;
  readonly type?: string;
  readonly data?: unknown;
  readonly secrets?: readonly string[];
  readonly answer?: number | "broken" | "silent";
  readonly answerMs?: number;
  /** What happens before its answer. */
  readonly meanwhile?: () => void;
};

function tell(run: Scene, index: number, changes: Changes = {}) {
  const {
    event_id = `e-${index}`,
    account_id = idOf(900),
    type = "MESSAGE_TERMINAL",
    secrets = [SECRET],
    answer = 200,
    answerMs = 50,
    meanwhile = () => {},
  } = changes;
  const data = changes.data ?? delivered(idOf(1), index);
  const body = JSON.stringify({ type, timestamp: "2026-01-01T00:00:00Z", data, event_id, account_id });
  const headers = { "webhook-id": event_id, "webhook-timestamp": "1767225600" };
  const signature = secrets.map((secret) => signatureOf({ headers, body }, secret)).join(" ");
  seen += 1;
  const id = seen;
  run.see({
    kind: "event",
    id,
    url: URL,
    headers: { ...headers, "webhook-signature": signature },
    body,
  });
  run.wait(answerMs);
  meanwhile();
  run.see({ kind: "event answer", id, answer });
}

function rest(run: Scene) {
  run.wait(600_000);
  run.see({ kind: "rest" });
  const rows = [delivered(idOf(1), 0), delivered(idOf(1), 1)];
  run.ask({ client: "alpha", path: "/messages?status_changed_since=2026-01-01" }, page(rows));
  return run;
}

const verdict = (run: Scene, rule = eventsTrue) =>
  audit(run.observations, [rule])
    .findings.map(({ what }) => what)
    .join();

function one(changes: Changes) {
  const run = begin();
  tell(run, 0, changes);
  return verdict(rest(run));
}

describe("an event is true", () => {
  test("when it is signed, for its own account, of a type that was asked for, and as the feed says", () => {
    expect(one({})).toBe("");
    expect(one({ secrets: [OTHER] })).toContain("no secret verifies");
    expect(one({ account_id: idOf(901) })).toContain("has no endpoint there");
    expect(one({ type: "BATCH_SETTLED" })).toContain("nobody there asked");
    expect(one({ data: delivered(idOf(1), 0, { amount: 1 }) })).toContain("the feed says");
    expect(one({ data: delivered(idOf(1), 0, { is_final: false }) })).toContain("not final");
  });

  test("when retries keep the id, and nothing else has it", () => {
    const same = begin();
    tell(same, 0);
    tell(same, 0);
    expect(verdict(same)).toBe("");
    const other = begin();
    tell(other, 0);
    tell(other, 0, { event_id: "e-9" });
    expect(verdict(other)).toContain("told as e-0");
    const shared = begin();
    tell(shared, 0);
    tell(shared, 1, { event_id: "e-0" });
    expect(verdict(shared)).toContain("another event's");
  });

  test("when both secrets verify it for a day after a rotation", () => {
    const rotated = (secrets: readonly string[], afterMs: number, setMs = 0) => {
      const run = begin();
      const data = { secret: OTHER };
      run.ask(
        { client: "alpha", method: "POST", path: `/webhooks/${idOf(700)}/rotate` },
        { status: 200, json: { data } },
      );
      if (setMs !== 0) run.see({ kind: "clock", byMs: setMs });
      run.wait(afterMs);
      tell(run, 0, { secrets });
      return verdict(run);
    };
    expect(rotated([OTHER, SECRET], 3_600_000)).toBe("");
    expect(rotated([OTHER], 3_600_000)).toContain("1 of the secrets");
    expect(rotated([SECRET], 3_600_000)).toContain("1 of the secrets");
    expect(rotated([OTHER], 25 * 3_600_000)).toBe("");
    expect(rotated([SECRET], 25 * 3_600_000)).toContain("no secret");
    expect(rotated([OTHER], 3_600_000, 53 * 3_600_000)).toBe("");
    expect(rotated([SECRET], 3_600_000, 53 * 3_600_000)).toContain("1 of the secrets");
  });
});

describe("an endpoint is told", () => {
  test("of every end of a message, and one that was never told is a finding", () => {
    const run = begin();
    tell(run, 0);
    tell(run, 1);
    expect(verdict(rest(run), eventsTold)).toBe("");
    const half = begin();
    tell(half, 0);
    expect(verdict(rest(half), eventsTold)).toContain("0 times");
    const broken = begin();
    tell(broken, 0);
    tell(broken, 1, { answer: "broken" });
    expect(verdict(rest(broken), eventsTold)).toContain("1 times");
  });

  test("again after a failure and a while, or a death, but not when it took the event", () => {
    const twice = (answer: number | "broken", between: (run: Scene) => void) => {
      const run = begin();
      tell(run, 1);
      tell(run, 0, { answer });
      between(run);
      tell(run, 0);
      return verdict(rest(run), eventsTold);
    };
    expect(twice("broken", (run) => run.wait(5_000))).toBe("");
    expect(twice(500, (run) => run.wait(1_000))).toContain("tried again");
    expect(twice(200, (run) => run.wait(60_000))).toContain("told again");
    const dies = (run: Scene) => {
      run.see({ kind: "life", life: 1, what: "killed" });
      run.wait();
      run.see({ kind: "life", life: 2, what: "starting" });
    };
    expect(twice(200, dies)).toBe("");
    const diesLate = (run: Scene) => {
      run.wait(20_000);
      dies(run);
    };
    expect(twice(200, diesLate)).toContain("told again");
  });

  test("again after a death that found the cursor held by an event before it, and not after an orderly stop", () => {
    const ends = (end: "killed" | "stopped", type: string, waitMs: number) => {
      const run = begin(["BATCH_SETTLED"]);
      run.see({ kind: "life", life: 1, what: "starting" });
      run.wait();
      tell(run, 1, { type, answer: "silent", answerMs: 0 });
      tell(run, 0);
      run.wait(waitMs);
      if (end === "stopped") run.see({ kind: "life", life: 1, what: "stopping" });
      run.see({ kind: "life", life: 1, what: end });
      run.wait();
      run.see({ kind: "life", life: 2, what: "starting" });
      tell(run, 0);
      return verdict(run, eventsTold);
    };
    expect(ends("killed", "MESSAGE_TERMINAL", 12_000)).toBe("");
    expect(ends("killed", "MESSAGE_TERMINAL", 22_000)).toContain("told again");
    expect(ends("killed", "BATCH_SETTLED", 12_000)).toContain("told again");
    expect(ends("stopped", "MESSAGE_TERMINAL", 12_000)).toContain("told again");
    expect(ends("stopped", "MESSAGE_TERMINAL", 0)).toBe("");
  });

  test("again at once after a stop where it was under way, and not where it had failed", () => {
    const stopped = (answer: 500 | "silent") => {
      const run = begin();
      linkTo(run, "centre1", 1).bind();
      run.see({ kind: "life", life: 1, what: "starting" });
      run.wait();
      tell(run, 1);
      tell(run, 0, { answer });
      run.wait(2000);
      run.see({ kind: "life", life: 1, what: "stopping" });
      run.see({ kind: "life", life: 1, what: "stopped" });
      run.wait();
      run.see({ kind: "life", life: 2, what: "starting" });
      tell(run, 0);
      return verdict(run, eventsTold);
    };
    expect(stopped("silent")).toBe("");
    expect(stopped(500)).toContain("tried again");
  });

  test("sooner after a failure when a clock that was doubted is believed, and only then", () => {
    const jumped = (byMs: number, tryAfterMs: number, believes: (run: Scene) => void) => {
      const run = begin();
      tell(run, 1);
      run.see({ kind: "clock", byMs });
      run.wait(tryAfterMs);
      tell(run, 0, { answer: 500 });
      run.wait(1_000);
      believes(run);
      tell(run, 0);
      return verdict(rest(run), eventsTold);
    };
    const accepts = (run: Scene) => void run.command("clock accept", {}, { data: {} });
    const waits = () => {};
    const day = 24 * 3_600_000;
    expect(jumped(day, 60_000, accepts)).toBe("");
    expect(jumped(day, 60_000, waits)).toContain("tried again");
    expect(jumped(3_600_000, 60_000, accepts)).toContain("tried again");
    expect(jumped(day, 599_500, waits)).toBe("");
  });

  test("of what became of a batch, where it asked for that", () => {
    const settles = (types: readonly string[], told: readonly string[], answer: string) => {
      const run = begin(types, { status: answer });
      tell(run, 0);
      tell(run, 1);
      for (const type of told) tell(run, 0, { event_id: type, type, data: { batch_id: idOf(1) } });
      rest(run).ask({ client: "alpha", path: `/batches/${idOf(1)}` }, settled(idOf(1)));
      return verdict(run, eventsTold);
    };
    expect(settles(["BATCH_SETTLED"], ["BATCH_SETTLED"], "QUEUED")).toBe("");
    expect(settles(["BATCH_ACCEPTED", "BATCH_FAILED"], [], "QUEUED")).toBe("");
    expect(settles(["BATCH_SETTLED"], [], "QUEUED")).toContain("told of BATCH_SETTLED");
    expect(settles(["BATCH_ACCEPTED"], [], "VALIDATING")).toContain("told of BATCH_ACCEPTED");
  });

  test("again at once when its connection broke, and again later when the second answer came too late for the first", () => {
    const slow = (answerMs: number) => {
      const run = begin();
      tell(run, 1);
      tell(run, 0, { answer: "broken", answerMs: 10_000 });
      tell(run, 0, { answerMs });
      run.wait(60_000);
      tell(run, 0);
      return verdict(rest(run), eventsTold);
    };
    expect(slow(100)).toContain("told again");
    expect(slow(4_000)).toBe("");
  });

  test("again at once when its connection broke, once for each try, and a death begins another", () => {
    const broken = (between: (run: Scene) => void) => {
      const run = begin();
      tell(run, 1);
      tell(run, 0, { answer: "broken" });
      between(run);
      tell(run, 0, { answer: "broken" });
      tell(run, 0);
      return verdict(rest(run), eventsTold);
    };
    const dies = (run: Scene) => {
      run.see({ kind: "life", life: 1, what: "killed" });
      run.wait();
      run.see({ kind: "life", life: 2, what: "starting" });
    };
    expect(broken(() => {})).toContain("tried again");
    expect(broken(dies)).toBe("");
  });

  test("of what waits at once when it answers again after it was only probed", () => {
    const afterFailures = (failures: number, answerMs = 50) => {
      const run = begin();
      for (let count = 0; count < failures; count++) tell(run, 0, { event_id: `p-${count}`, answer: 500 });
      tell(run, 0, { answerMs, meanwhile: () => tell(run, 1, { answer: 500 }) });
      tell(run, 1);
      return verdict(run, eventsTold);
    };
    expect(afterFailures(1)).toContain("tried again");
    expect(afterFailures(3)).toBe("");
    expect(afterFailures(3, 14_000)).toBe("");
    expect(afterFailures(3, 20_000)).toContain("tried again");
  });

  test("nothing more after twenty failures, and not less", () => {
    const shows = (status: string, consecutive_failures: number) => {
      const run = begin();
      const webhooks = [{ webhook_id: idOf(700), status, consecutive_failures }];
      run.ask({ client: "alpha", path: "/webhooks" }, { status: 200, json: { data: { webhooks } } });
      return verdict(run, eventsTold);
    };
    expect(shows("ENABLED", 19)).toBe("");
    expect(shows("DISABLED_AFTER_FAILURES", 20)).toBe("");
    expect(shows("ENABLED", 20)).toContain("20 failures");
    expect(shows("DISABLED_AFTER_FAILURES", 3)).toContain("3 failures");
  });
});
