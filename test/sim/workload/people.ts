/**
 * The workload: a plan drawn from a seed, and the people who carry it out. Whoever runs an appliance, simulated or real, needs:
 *
 *   drawPlan(seed, options)          draw-plan.ts      everything that will be done, as data; nothing else draws steps
 *   withOnly(plan, indices)          draw-plan.ts      the same plan with some of its steps
 *   nextDocument(document, step)     next-document.ts  the configuration after "settings", "rename operator", "retire operator"
 *   openPeople(plan, edges, ways)    this file  the clients and the administrator
 *
 * and of the people, in this order:
 *
 *   people.setUp()           once the first life is ready, or while it still starts: accounts, money, senders, keys, endpoints.
 *                            It may be killed in between; it goes on with the next life. Ends within some simulated minutes.
 *   people.perform(step)     at step.atMs, without waiting for the one before. A client waits until its account was set up.
 *                            Steps of the world (`isPeoples` is false) are the caller's: stop, kill, settings, and all troubles.
 *                            "rename operator" and "retire operator": stop, start with nextDocument, then perform, which gives
 *                            the command.
 *   people.askEverything(doubtful)   after "rest" was observed and every perform ended.
 *
 * They see the appliance through `Ask`, `Command` and `ConnectSmpp` alone, which write down what happens. Their chance is forked from the plan's seed
 * and the step's index, so that a step that is left out changes nothing of what others draw.
 */
import type { ActorEdges, Ask, Command, ConnectSmpp } from "../actors.ts";
import type { Plan, Step } from "../plan.ts";
import { openAdministrator } from "./administrator.ts";
import { openClient } from "./client.ts";
import { askEverything, type Doubtful } from "./closing.ts";
import { emptyMemory } from "./memory.ts";
import { type People, type PeoplesStep, performStep } from "./perform.ts";
import { setUpAccount, setUpSmppUser } from "./set-up.ts";
import { openSmppClient } from "./smpp-client.ts";

export type Workload = {
  readonly setUp: () => Promise<void>;
  readonly perform: (step: PeoplesStep) => Promise<void>;
  /** `doubtful` is asked once, when the feeds were read: the messages that a judge wants traces of. */
  readonly askEverything: (doubtful?: Doubtful) => Promise<void>;
};

/** How people reach the appliance. A run without SMPP clients needs no way for them. */
type Ways = { readonly ask: Ask; readonly command: Command; readonly connect?: ConnectSmpp };

/** The clients and the administrator of a plan. */
export function openPeople(plan: Plan, edges: ActorEdges, { ask, command, connect }: Ways): Workload {
  const clients = new Map(
    plan.accounts.map((account) => [account.name, openClient(emptyMemory(account), plan.seed, edges, ask)]),
  );
  const administrator = openAdministrator(plan.seed, edges, command);
  const smppClients = new Map(
    (connect ? (plan.smppUsers ?? []) : []).map((user) => [
      user.systemId,
      openSmppClient(user, plan, edges, connect ?? (() => {})),
    ]),
  );
  const people: People = { plan, clients, smppClients, administrator };
  const setUps = new Map<string, Promise<void>>();
  return {
    setUp: async () => {
      // One after the other, as one administrator does.
      let before: Promise<void> = Promise.resolve();
      for (const [name, client] of clients) {
        before = before.then(() => setUpAccount(plan, client, administrator));
        setUps.set(name, before);
      }
      for (const [systemId, client] of smppClients) {
        before = before.then(() => setUpSmppUser(client, administrator));
        setUps.set(`smpp ${systemId}`, before);
      }
      await before;
    },
    perform: async (step) => {
      const account = "account" in step ? step.account : "args" in step ? step.args.ACCOUNT : undefined;
      if (account !== undefined) await setUps.get(account);
      if (step.kind === "smpp text") await setUps.get(`smpp ${step.user}`);
      await performStep(step, people);
    },
    askEverything: (doubtful = () => []) => askEverything(people, edges, ask, doubtful),
  };
}

const WORLDS: readonly Step["kind"][] = [
  ...(["settings", "stop", "kill", "sync fails", "habits", "drop", "smpp drop", "half open"] as const),
  ...([
    "slow link",
    "stall",
    "unreachable",
    "unbind",
    "garbage",
    "mo",
    "receiver habits",
    "cloud habits",
    "template",
    "template moves",
    "template notice",
    "template quality",
    "whatsapp text",
    "whatsapp preference",
    "disk",
    "clock",
    "busy",
    "restore",
  ] as const),
];

/** Whether a step is one of clients and administrators; else it is the world's. */
export function isPeoples(step: Step): step is PeoplesStep {
  return !WORLDS.includes(step.kind);
}
