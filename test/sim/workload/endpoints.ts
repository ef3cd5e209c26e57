/** A client's webhook endpoints, as it manages them over the API. */
import type { Ask } from "../actors.ts";
import type { ReceiverPlan } from "../plan.ts";
import { type Call, call, callPatiently, dataOf } from "./api.ts";
import { tablesOf, textOf } from "./json.ts";
import type { Memory } from "./memory.ts";
import { type Patience, pause } from "./patience.ts";

/** Registers a receiver. Where no answer came it looks whether it stands there, and asks for another secret. */
export async function registerEndpoint(
  memory: Memory,
  ask: Ask,
  { receiver, events }: { readonly receiver: ReceiverPlan; readonly events: readonly string[] | null },
  patience: Patience,
): Promise<void> {
  const body = JSON.stringify({ url: receiver.url, ...(events && { events }) });
  for (let tries = 0; tries < patience.tries; tries++) {
    const answer = await call(memory, ask, { method: "POST", path: "/webhooks", body });
    const id =
      textOf(dataOf(answer)?.webhook_id) ?? (answer ? null : await lostEndpoint(memory, ask, receiver));
    if (id !== null) {
      memory.webhooks.push({ id, receiver: receiver.name });
      return;
    }
    if (answer && answer.status < 500 && answer.status !== 429) return;
    await pause(patience, tries, null);
  }
}

/** The endpoint of a registration whose answer was lost, with a secret that the client has seen; null when there is none. */
async function lostEndpoint(memory: Memory, ask: Ask, receiver: ReceiverPlan): Promise<string | null> {
  const list = dataOf(await call(memory, ask, { method: "GET", path: "/webhooks" }));
  const known = new Set(memory.webhooks.map(({ id }) => id));
  for (const endpoint of tablesOf(list?.webhooks)) {
    const id = textOf(endpoint.webhook_id);
    if (id === null || endpoint.url !== receiver.url || known.has(id)) continue;
    await call(memory, ask, change(id, "rotate"));
    return id;
  }
  return null;
}

/** Disables, enables or gives a new secret to the newest endpoint of a receiver. */
export async function changeEndpoint(
  memory: Memory,
  ask: Ask,
  receiver: string,
  what: "disable" | "enable" | "rotate",
  patience: Patience,
): Promise<void> {
  const endpoint = memory.webhooks.findLast((known) => known.receiver === receiver);
  if (endpoint) await callPatiently(memory, ask, change(endpoint.id, what), patience);
}

function change(id: string, what: "disable" | "enable" | "rotate"): Call {
  return { method: "POST", path: `/webhooks/${id}/${what}` };
}
