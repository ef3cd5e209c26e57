import { describe, expect, test } from "vitest";
import { historyOf } from "../history.ts";
import {
  accepted,
  delivered,
  idOf,
  opening,
  page,
  registered,
  type Scene,
  SETTINGS,
  SUBMISSION,
} from "../scene.ts";
import { postsOnce } from "./posts-once.ts";
import { postsOrdered } from "./posts-ordered.ts";
import { postsPaced } from "./posts-paced.ts";
import { postsTruth } from "./posts-truth.ts";

const BATCH = idOf(1);
const NUMBER = {
  phone_number_id: "100",
  waba_id: "7",
  token: "t",
  throughput: 2,
  price: { TRANSACTIONAL: 5 },
};
const withNumber = (number: object = {}) => ({
  ...SETTINGS,
  whatsapp: { numbers: { main: { ...NUMBER, ...number } } },
});

type Posted = {
  readonly index?: number;
  readonly n?: number;
  readonly text?: string;
  readonly category?: string;
  readonly answer?: number | "broken" | "silent";
  readonly code?: number | null;
  readonly isTaken?: boolean;
  readonly isHeard?: boolean;
};

/** A batch of two by WhatsApp, what happens to its posts, and how its messages are shown in the end. */
function run(
  during: (run: Scene, kit: ReturnType<typeof kitOf>) => void,
  rows: readonly object[] = [{}, {}],
) {
  const scene = opening();
  scene.see({ kind: "settings", document: withNumber() });
  registered(scene, "alpha", "whatsapp:main");
  scene.ask({ client: "alpha", path: "/account/balance" }, balanceAt("2026-01-01T00:00:02.050Z"));
  const body = { ...SUBMISSION, channel: "WHATSAPP" };
  const asked = {
    client: "alpha",
    method: "POST",
    path: "/batches",
    headers: { "idempotency-key": "k" },
    body,
  } as const;
  scene.ask(asked, accepted(BATCH, { reserved_amount: 10 }));
  scene.wait(20_000);
  during(scene, kitOf(scene));
  scene.wait(20_000);
  scene.see({ kind: "rest" });
  const shown = rows.map((row, index) => delivered(BATCH, index, { channel: "WHATSAPP", ...row }));
  scene.ask({ client: "alpha", path: "/messages?status_changed_since=2025-01-01T00:00:00Z" }, page(shown));
  return historyOf(scene.observations);
}

const balanceAt = (as_of: string) => ({ status: 200, json: { data: { as_of } } });

function kitOf(scene: Scene) {
  let id = 0;
  let calls = 0;
  return {
    post: (posted: Posted = {}) => {
      const {
        index = 0,
        n = 1,
        answer = 200,
        code = null,
        isTaken = answer === 200,
        isHeard = true,
      } = posted;
      const { text = index === 0 ? "Bonjour Awa" : "Bonjour Ali", category = "utility" } = posted;
      id += 1;
      const to = index === 0 ? "22607000001" : "22670000002";
      const body = JSON.stringify({ to, biz_opaque_callback_data: `${idOf(500 + index)}.${n}` });
      scene.see({ kind: "post", id, phone: "100", token: "t", body, text, category });
      const wamid = isTaken ? `wamid.${id}` : null;
      scene.see({ kind: "post answer", id, answer, code, wamid, isBillable: true });
      if (isHeard && typeof answer === "number") scene.see({ kind: "post heard", id });
      return `wamid.${id}`;
    },
    tell: (wamid: string, status: string, { code = 0, isTaken = true, isForged = false } = {}) => {
      calls += 1;
      const errors = status === "failed" ? { errors: [{ code }] } : {};
      const told = { id: wamid, status, biz_opaque_callback_data: "x", ...errors };
      const body = JSON.stringify({ entry: [{ changes: [{ value: { statuses: [told] } }] }] });
      scene.see({ kind: "call", id: calls, body, isForged });
      scene.see({ kind: "call answer", id: calls, status: isTaken ? 200 : 503 });
    },
  };
}

const wordsOf = (findings: readonly { readonly what: string }[]) => findings.map(({ what }) => what);
const both = (_: Scene, { post, tell }: ReturnType<typeof kitOf>) => {
  for (const index of [0, 1]) {
    const wamid = post({ index });
    tell(wamid, "sent");
    tell(wamid, "delivered");
  }
};

test("a run in which everybody has the message breaks nothing", () => {
  const history = run(both);
  for (const rule of [postsOnce, postsOrdered, postsPaced, postsTruth]) expect(rule(history)).toEqual([]);
});

describe("posts-once", () => {
  test.each([
    ["was taken", {}],
    ["broke", { answer: "broken" }],
    ["was never answered", { answer: "silent" }],
    ["left it open", { answer: 500, code: 131000 }],
    ["was told to try again and did not hear it", { answer: 429, code: 130429, isHeard: false }],
  ] as const)("sees one that is made again though the first %s", (_, first) => {
    const history = run((scene, { post }) => {
      post(first);
      scene.wait(10_000);
      post({ n: 2 });
    });
    expect(wordsOf(postsOnce(history))).toEqual([expect.stringContaining("(post 2) after post 1")]);
  });

  test("lets one be made again that Meta said it did not send, as an answer or as a status", () => {
    const history = run((scene, { post, tell }) => {
      post({ answer: 429, code: 130429 });
      scene.wait(10_000);
      tell(post({ n: 2 }), "failed", { code: 131056 });
      scene.wait(10_000);
      post({ n: 3 });
    });
    expect(postsOnce(history)).toEqual([]);
  });

  test("sees one that is made again though the first has arrived, which Meta had taken back", () => {
    const history = run((scene, { post, tell }) => {
      const wamid = post();
      tell(wamid, "failed", { code: 130429 });
      tell(wamid, "delivered");
      scene.wait(5000);
      post({ n: 2 });
    });
    expect(wordsOf(postsOnce(history))).toEqual([expect.stringContaining("post 1 of it was delivered")]);
  });

  test("counts to five, but for those that stopped the number", () => {
    const often = (code: number, times: number) =>
      run((scene, { post }) => {
        for (let n = 1; n <= times; n++) {
          post({ n, answer: 400, code });
          scene.wait(10_000);
        }
      });
    expect(postsOnce(often(130429, 5))).toEqual([]);
    expect(wordsOf(postsOnce(often(130429, 6)))).toEqual([expect.stringContaining("posted 6 times")]);
    expect(postsOnce(often(190, 6))).toEqual([]);
  });
});

describe("posts-ordered", () => {
  test.each([
    ["another text", { text: "Bonjour Ali" }],
    ["a template of another category", { category: "marketing" }],
  ] as const)("sees %s", (_, posted) => {
    expect(postsOrdered(run((_scene, { post }) => void post(posted)))).toHaveLength(1);
  });

  test("sees one that was called off long before", () => {
    const history = run((scene, { post }) => {
      scene.command("batch cancel", { BATCH }, { data: {} });
      scene.wait(15_000);
      post();
    });
    expect(wordsOf(postsOrdered(history))).toEqual([expect.stringContaining("batch cancel")]);
  });
});

describe("posts-paced", () => {
  test("sees more in a second than the number may make, and the same user twice in six", () => {
    const fast = run((scene, { post }) => {
      for (let n = 0; n < 6; n++) {
        post({ index: 0, n: 1 + n });
        scene.wait(100);
      }
    });
    const words = wordsOf(postsPaced(fast));
    expect(words.some((each) => each.includes("2 are allowed"))).toBe(true);
    expect(words.some((each) => each.includes("+22607000001 was written to"))).toBe(true);
  });

  test("sees a post by a number that was told to stop, until it has another token", () => {
    const stopped = (between: (scene: Scene) => void) =>
      run((scene, { post }) => {
        post({ answer: 401, code: 190 });
        scene.wait(15_000);
        between(scene);
        scene.wait(15_000);
        post({ index: 1 });
      });
    expect(wordsOf(postsPaced(stopped(() => {})))).toEqual([expect.stringContaining("was told 190")]);
    const token = (scene: Scene) => scene.see({ kind: "settings", document: withNumber({ token: "other" }) });
    expect(postsPaced(stopped(token))).toEqual([]);
    expect(
      postsPaced(
        stopped((scene) => void scene.command("operator resume", { CODE: "whatsapp:main" }, { data: {} })),
      ),
    ).toEqual([]);
  });
});

describe("posts-truth", () => {
  const FAILED = { status: "FAILED", error: { code: "UNKNOWN_SUBSCRIBER", operator_code: "131026" } };

  test("believes no DELIVERED that no status says, nor one that a stranger signed", () => {
    const forged = run((_, { post, tell }) => {
      tell(post(), "delivered", { isForged: true });
      tell(post({ index: 1 }), "delivered");
    });
    expect(wordsOf(postsTruth(forged))).toEqual([expect.stringContaining("no status says")]);
  });

  test("knows a code that was said from one that was not", () => {
    const told = (code: number) =>
      run(
        (_, { post, tell }) => {
          tell(post(), "failed", { code });
          tell(post({ index: 1 }), "delivered");
        },
        [FAILED, {}],
      );
    expect(postsTruth(told(131026))).toEqual([]);
    expect(wordsOf(postsTruth(told(131049)))).toEqual([expect.stringContaining("nobody said that code")]);
  });

  test("sees a delivery that was taken and forgotten", () => {
    const ended = { finalized_at: "2026-01-01T10:00:00Z" };
    const silent = { status: "SENT", error: { code: "RECEIPT_NOT_RECEIVED", operator_code: null }, ...ended };
    const closed = (isTaken: boolean) =>
      run(
        (_, { post, tell }) => {
          tell(post(), "delivered", { isTaken });
          tell(post({ index: 1 }), "delivered");
        },
        [silent, {}],
      );
    expect(wordsOf(postsTruth(closed(true)))).toEqual([expect.stringContaining("delivered  was taken")]);
    expect(postsTruth(closed(false))).toEqual([]);
  });

  test("sees a message that never ends", () => {
    const history = run(both, [{ status: "SENT", is_final: false }, {}]);
    expect(wordsOf(postsTruth(history))).toEqual([expect.stringContaining("it never ends")]);
  });
});
