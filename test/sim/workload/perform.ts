import type { Plan, Step } from "../plan.ts";
import type { Administrator } from "./administrator.ts";
import type { Client } from "./client.ts";
import type { SmppClient } from "./smpp-client.ts";

/** The clients by their accounts' names, and who administers them. */
export type People = {
  readonly plan: Plan;
  readonly clients: ReadonlyMap<string, Client>;
  /** By their system_ids. */
  readonly smppClients: ReadonlyMap<string, SmppClient>;
  readonly administrator: Administrator;
};

/** What clients and administrators do. Of an operator's new code or end it is the command alone: the world restarts before it. */
export type PeoplesStep = Extract<
  Step,
  {
    readonly kind:
      | "submit"
      | "smpp text"
      | "read"
      | "command"
      | "cancel"
      | "suspend"
      | "pause"
      | "top up"
      | "rotate key"
      | "webhook"
      | "resume"
      | "rename operator"
      | "retire operator";
  }
>;

/** What the world does: deaths, troubles, and documents that are put in force. */
export type WorldsStep = Exclude<Step, PeoplesStep>;

/** Carries a step out; ends when all of it is done or given up. Never rejects for what the appliance does. */
export async function performStep(step: PeoplesStep, people: People): Promise<void> {
  const { administrator, clients, plan } = people;
  switch (step.kind) {
    case "command":
      return administrator.command(step);
    case "suspend":
      return administrator.suspend(step);
    case "pause":
      return administrator.pause(step);
    case "top up":
      return administrator.topUp(step);
    case "resume":
      await administrator.insist("backup resume", step.args);
      return;
    case "rename operator":
      return administrator.rename(step);
    case "retire operator":
      await administrator.insist("operator retire", { CODE: step.code });
      return;
    case "smpp text":
      await people.smppClients.get(step.user)?.submit(step);
      return;
    case "submit":
    case "read":
    case "cancel":
    case "rotate key":
    case "webhook": {
      const client = clients.get(step.account);
      if (client) await performOf(client, step, people, plan);
    }
  }
}

type ClientsStep = Extract<
  PeoplesStep,
  { readonly kind: "submit" | "read" | "cancel" | "rotate key" | "webhook" }
>;

async function performOf(
  client: Client,
  step: ClientsStep,
  { administrator, clients }: People,
  plan: Plan,
): Promise<void> {
  const { memory } = client;
  switch (step.kind) {
    case "submit":
      return client.submit(step);
    case "read":
      return client.read(step, othersThan(client, clients));
    case "cancel":
      return step.index % 2 === 0 ? client.cancel(step) : administrator.cancel(step, memory);
    case "rotate key":
      return administrator.rotateKey(memory);
    case "webhook": {
      const receiver = plan.receivers.find(({ name }) => name === step.receiver);
      if (step.what === "register") return receiver && client.register(receiver, step.events);
      const isOwn = step.what === "rotate" || !step.byCommand;
      if (isOwn && (step.what === "disable" || step.what === "enable" || step.what === "rotate")) {
        return client.change(step, step.what);
      }
      return administrator.webhook(step, memory);
    }
  }
}

function othersThan(client: Client, clients: ReadonlyMap<string, Client>) {
  return [...clients.values()].filter((other) => other !== client).map(({ memory }) => memory);
}
