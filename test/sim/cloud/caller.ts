/** Brings news to the webhook, each until it is taken, in no order that anybody may rely on. */
import { createHmac } from "node:crypto";
import type { ActorEdges, CallWebhook } from "../actors.ts";

export type Caller = {
  readonly tell: (change: object) => void;
  /** The same with a signature that is another's, once. */
  readonly forge: (change: object) => void;
};

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export function openCaller({ clock, observe }: ActorEdges, appSecret: string, call: CallWebhook): Caller {
  let calls = 0;
  const made = async (entry: object, secret: string, isForged: boolean): Promise<boolean> => {
    const id = ++calls;
    const body = JSON.stringify({ object: "whatsapp_business_account", entry: [entry] });
    const digest = createHmac("sha256", secret).update(body).digest("hex");
    observe({ kind: "call", id, body, isForged });
    const status = await call(body, {
      "content-type": "application/json",
      "x-hub-signature-256": `sha256=${digest}`,
    });
    observe({ kind: "call answer", id, status });
    return status === 200;
  };
  const insist = async (entry: object, pauseMs: number): Promise<void> => {
    if (await made(entry, appSecret, false)) return;
    clock.after(pauseMs, () => void insist(entry, Math.min(MAX_PAUSE_MS, pauseMs * 2)));
  };
  /** When it was told first, however often. */
  const entryOf = (change: object): object => ({
    id: "7",
    time: Math.floor(clock.nowMs() / 1000),
    changes: [change],
  });
  return {
    tell: (change) => {
      void insist(entryOf(change), FIRST_PAUSE_MS);
    },
    forge: (change) => {
      void made(entryOf(change), "another secret", true);
    },
  };
}
