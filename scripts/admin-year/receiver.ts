/** A server of others: takes events of webhooks on one path and alarms on another, and checks their signatures. */
import { Webhook } from "standardwebhooks";
import { HOOK_CERTIFICATE, HOOK_KEY } from "../../test/kit/certificates.ts";
import type { Json } from "./machine.ts";

/** What alarms are signed with; an endpoint's secret is told when it is made. */
export const ALARM_SECRET = "whsec_QSBzZWNyZXQgb2YgdGhlIHllYXIgZm9yIGFsYXJtcw==";

export type Receiver = {
  readonly url: string;
  /** Events by their id. */
  readonly events: ReadonlyMap<string, Json>;
  readonly alarms: readonly Json[];
  /** Whether an alarm came: its rule, what became of it, and whom it is about where that matters. */
  readonly hasAlarm: (rule: string, state: string, subject?: string) => boolean;
  /** Requests whose signature was wrong. */
  readonly forged: () => number;
  readonly close: () => void;
};

/** Answers 204; `secretOf` says what an endpoint's events are signed with. */
export function receiver(secretOf: () => string): Receiver {
  const events = new Map<string, Json>();
  const alarms: Json[] = [];
  let forged = 0;
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    tls: { cert: HOOK_CERTIFICATE, key: HOOK_KEY },
    fetch: async (request) => {
      const isAlert = new URL(request.url).pathname === "/alarms";
      const body = await request.text();
      if (!isSigned(isAlert ? ALARM_SECRET : secretOf(), body, request.headers)) forged += 1;
      const told = JSON.parse(body) as Json;
      if (isAlert) alarms.push(told);
      else events.set(request.headers.get("webhook-id") ?? "", told);
      return new Response(null, { status: 204 });
    },
  });
  return {
    url: `https://127.0.0.1:${server.port}`,
    events,
    alarms,
    hasAlarm: (rule, state, subject) =>
      alarms.some(
        (alarm) =>
          alarm.rule === rule &&
          alarm.state === state &&
          (subject === undefined || alarm.subject === subject),
      ),
    forged: () => forged,
    close: () => server.stop(true),
  };
}

/** The library compares the time of a signature with this machine's, so it is told the one that was signed. */
function isSigned(secret: string, body: string, headers: Headers): boolean {
  const id = headers.get("webhook-id") ?? "";
  const at = new Date(Number(headers.get("webhook-timestamp")) * 1000);
  return headers.get("webhook-signature") === new Webhook(secret).sign(id, at, body);
}
