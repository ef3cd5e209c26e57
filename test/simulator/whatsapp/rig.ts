import { createHmac } from "node:crypto";
import type { PostFate, ScheduledStatus } from "../../../src/simulator/whatsapp/fate.ts";
import {
  type SimEvent,
  startWhatsappSim,
  type WhatsappSimOptions,
} from "../../../src/simulator/whatsapp/server.ts";
import { SIM_DEFAULTS, type WhatsappSimSettings } from "../../../src/simulator/whatsapp/settings.ts";
import { type TestClock, testClock } from "../../kit/test-clock.ts";

export type Told = {
  readonly status: string;
  readonly id: string;
  readonly opaque?: string;
  readonly code?: number;
};

/** A webhook that keeps what it is told, and the stand-in that tells it. */
export function simRig(changed: Partial<WhatsappSimSettings> = {}, fate?: WhatsappSimOptions["fate"]) {
  const clock: TestClock = testClock();
  const told: Told[] = [];
  const bodies: { readonly entry: readonly { readonly changes: readonly { readonly field: string }[] }[] }[] =
    [];
  const events: SimEvent[] = [];
  let answer = 200;
  let isSigned = true;
  const webhook = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request) => {
      const { searchParams } = new URL(request.url);
      if (request.method === "GET") {
        const isKnown = searchParams.get("hub.verify_token") === "V";
        return isKnown
          ? new Response(searchParams.get("hub.challenge"))
          : new Response(null, { status: 403 });
      }
      const body = await request.text();
      const digest = createHmac("sha256", "S").update(body).digest("hex");
      isSigned &&= request.headers.get("x-hub-signature-256") === `sha256=${digest}`;
      if (answer !== 200) return new Response(null, { status: answer });
      const read = JSON.parse(body);
      bodies.push(read);
      for (const { changes } of read.entry) {
        for (const { value } of changes) {
          for (const { id, status, biz_opaque_callback_data: opaque, errors } of value.statuses ?? []) {
            told.push({ id, status, opaque, ...(errors ? { code: errors[0].code } : {}) });
          }
        }
      }
      return new Response(null);
    },
  });
  const settings = {
    ...SIM_DEFAULTS,
    port: 0,
    webhook: `http://127.0.0.1:${webhook.port}/w`,
    appSecret: "S",
    verifyToken: "V",
    ...changed,
  };
  const sim = startWhatsappSim({
    clock,
    settings,
    onEvent: (event: SimEvent) => events.push(event),
    ...(fate ? { fate } : {}),
  });
  const url = `http://127.0.0.1:${sim.port}`;
  const ask = async (method: string, path: string, body?: unknown, token = "any") => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: JSON.parse(await response.text()) };
  };
  return {
    clock,
    sim,
    told,
    bodies,
    events,
    ask,
    post: (to: string, more: object = {}) => ask("POST", "/v23.0/42/messages", { ...order(to), ...more }),
    isSigned: () => isSigned,
    answerWith: (status: number) => {
      answer = status;
    },
    /** Lets time pass and everything that is due be told. */
    pass: async (ms: number) => {
      await clock.advance(ms);
      await sim.told();
    },
    stop: async () => {
      await sim.stop();
      await webhook.stop(true);
    },
  };
}

/** The post of a usual utility message. */
export function order(to: string, nom = "Awa", commande = "4521") {
  return {
    messaging_product: "whatsapp",
    to,
    type: "template",
    biz_opaque_callback_data: `o-${to}`,
    template: {
      name: "commande_prete",
      language: { code: "fr" },
      components: [
        {
          type: "body",
          parameters: [
            { type: "text", parameter_name: "nom", text: nom },
            { type: "text", parameter_name: "commande", text: commande },
          ],
        },
      ],
    },
  };
}

/** A fate that a test decides. */
export function fated(
  statuses: readonly (Partial<ScheduledStatus> & Pick<ScheduledStatus, "status">)[],
): PostFate {
  return {
    answer: null,
    isAnswered: true,
    isTaken: true,
    isBillable: true,
    statuses: statuses.map((status) => ({ afterMs: 0, toldAfterMs: 0, code: null, times: 1, ...status })),
  };
}
