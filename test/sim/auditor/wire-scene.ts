/** Steps of hand-made histories that happen on the links, beside those of `scene.ts`. */
import { deliverSm, deliverSmResp, pduOf, submitSm, submitSmResp } from "./pdu-kit.ts";
import { type Asking, accepted, delivered, idOf, opening, page, type Scene, SUBMISSION } from "./scene.ts";

/** Where a PDU got to. */
export type Reach = "both ends" | "lost";

export type LinkScene = {
  readonly link: number;
  /** A bind that is accepted. */
  readonly bind: () => void;
  /** A submit_sm of the first recipient's text; gives its sequence number. */
  readonly submit: (changes?: Partial<Parameters<typeof submitSm>[0]>, reach?: Reach) => number;
  readonly answer: (sequence: number, status: number, messageId: string, reach?: Reach) => void;
  /** A receipt, and the appliance's answer to it unless null. */
  readonly receipt: (
    says: { readonly id: string; readonly stat: string; readonly err?: string; readonly from?: string },
    answered?: number | null,
  ) => void;
  /** Any PDU by either side. */
  readonly pdu: (from: "appliance" | "centre", octets: Uint8Array, reach?: Reach) => void;
  readonly close: () => void;
};

/** Opens a link to a centre; both its ends are watched. */
export function linkTo(run: Scene, centre: string, link: number): LinkScene {
  let sequence = 0;
  run.see({ kind: "link", centre, link, state: "open" });
  const pdu: LinkScene["pdu"] = (from, octets, reach = "both ends") => {
    const [first, second] =
      from === "appliance" ? (["appliance", "centre"] as const) : (["centre", "appliance"] as const);
    run.see({ kind: "pdu", centre, link, from, at: first, octets });
    run.wait(5);
    if (reach === "both ends") run.see({ kind: "pdu", centre, link, from, at: second, octets });
  };
  const next = () => {
    sequence += 1;
    return sequence;
  };
  return {
    link,
    pdu,
    bind: () => {
      const own = next();
      pdu("appliance", pduOf(9, 0, own, [...Buffer.from("b\0p\0\0"), 0x34, 0, 0, 0]));
      pdu("centre", pduOf(0x80000009, 0, own, [...Buffer.from("c\0")]));
    },
    submit: (changes = {}, reach) => {
      const own = next();
      const usual = { source: "BENDRE", destination: "22607000001", octets: Buffer.from("Bonjour Awa") };
      pdu("appliance", submitSm({ ...usual, ...changes, sequence: own }), reach);
      return own;
    },
    answer: (to, status, messageId, reach) => pdu("centre", submitSmResp(to, status, messageId), reach),
    receipt: ({ id, stat, err = "000", from = "22607000001" }, answered = 0) => {
      const own = 100_000 + next();
      const line = `id:${id} sub:001 dlvrd:001 submit date:2601010000 done date:2601010000 stat:${stat} err:${err} text:`;
      const words = { source: from, destination: "BENDRE", esmClass: 4, octets: Buffer.from(line) };
      pdu("centre", deliverSm({ ...words, sequence: own }));
      if (answered !== null) pdu("appliance", deliverSmResp(own, answered));
    },
    close: () => run.see({ kind: "link", centre, link, state: "closed" }),
  };
}

/** A run whose first account has submitted one text to one number, as batch 1. */
export function oneText(
  changes: Readonly<Record<string, unknown>> = {},
  figures: Readonly<Record<string, unknown>> = {},
): Scene {
  const run = opening();
  const body = { ...SUBMISSION, recipients: SUBMISSION.recipients.slice(0, 1), ...changes };
  const asked: Asking = {
    client: "alpha",
    method: "POST",
    path: "/batches",
    headers: { "idempotency-key": "k1" },
    body,
  };
  run.ask(asked, accepted(idOf(1), { accepted: 1, total_segments: 1, reserved_amount: 15, ...figures }));
  return run;
}

/** Comes to rest, and the account reads what became of its message. */
export function atRest(run: Scene, message: Readonly<Record<string, unknown>> = {}): Scene {
  run.wait(600_000);
  run.see({ kind: "rest" });
  run.ask(
    { client: "alpha", path: "/messages?status_changed_since=2026-01-01" },
    page([delivered(idOf(1), 0, message)]),
  );
  return run;
}
