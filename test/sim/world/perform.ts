/** Carries out the steps that are the world's: deaths, troubles, and documents that are put in force. */
import { forked } from "../chance.ts";
import type { Step } from "../plan.ts";
import { nextDocument } from "../workload/next-document.ts";
import type { WorldsStep } from "../workload/perform.ts";
import type { Lives } from "./lives.ts";
import { FREE_BYTES, type World } from "./world.ts";

/** What the world does with a step, at once or from now on. */
export function performWorlds(step: Exclude<WorldsStep, Kind<"restore">>, world: World, lives: Lives): void {
  world.fault(step.kind, detailOf(step));
  switch (step.kind) {
    case "stop":
      lives.stop(step.downMs);
      if (step.isCutAfter) lives.cutAfter("stopped");
      if (step.blow) lives.kill(step.blow, step.downMs);
      return;
    case "kill":
      lives.kill(step, step.downMs, step.next);
      return;
    case "sync fails":
      world.disk.failNextSync(step.at);
      if (step.isCutAfter) lives.cutAfter("failed");
      world.time.after(step.forMs, world.disk.failNoSync);
      return;
    case "settings":
      lives.change(nextDocument(lives.document(), step), step.when);
      return;
    case "clock":
      setClock(step, world);
      return;
    case "disk":
      setDisk(step, world);
      return;
    case "busy":
      setBusy(step, world);
      return;
    default:
      trouble(step, world);
  }
}

type Kind<K extends Step["kind"]> = Extract<Step, { readonly kind: K }>;

function trouble(
  step: Exclude<
    WorldsStep,
    Kind<"restore" | "stop" | "kill" | "sync fails" | "settings" | "clock" | "disk" | "busy">
  >,
  world: World,
): void {
  const { carriers, centres, receivers, cloud } = world;
  switch (step.kind) {
    case "drop":
      carriers.drop(step.centre, step.how, step.afterOctets, step.direction);
      return;
    case "smpp drop":
      world.clients.drop(step.user, step.how, step.afterOctets, step.direction);
      return;
    case "half open":
      carriers.halfOpen(step.centre, step.direction, step.forMs);
      return;
    case "slow link":
      carriers.slow(step.centre, step.latencyMs, step.forMs);
      return;
    case "stall":
      carriers.stall(step.centre, step.forMs);
      return;
    case "unreachable":
      carriers.unreachable(step.centre, step.forMs);
      return;
    case "unbind":
      centres.get(step.centre)?.unbindAll();
      return;
    case "garbage":
      centres.get(step.centre)?.garbage();
      return;
    case "mo":
      centres.get(step.centre)?.mo(step);
      return;
    case "habits":
      centres.get(step.centre)?.during(step.habits, step.forMs);
      return;
    case "cloud habits":
      cloud?.during(step.habits, step.forMs);
      return;
    case "template":
      cloud?.templates.status(step.name, step.status, step.forMs, step.isTold === true);
      return;
    case "template moves":
      cloud?.templates.move(step);
      return;
    case "template notice":
      cloud?.templates.notice(step.name, step.category);
      return;
    case "template quality":
      cloud?.templates.quality(step.name, step.quality, step.isTold);
      return;
    case "whatsapp text":
      cloud?.write(step);
      return;
    case "whatsapp preference":
      cloud?.prefer(step);
      return;
    case "receiver habits":
      receivers.get(step.receiver)?.during(step.habits, step.forMs);
  }
}

function setClock({ byMs, backAfterMs }: Kind<"clock">, { wall, time, observe }: World): void {
  const set = (ms: number): void => {
    wall.setByMs += ms;
    observe({ kind: "clock", byMs: ms });
  };
  set(byMs);
  if (backAfterMs !== null) time.after(backAfterMs, () => set(-byMs));
}

function setBusy({ forMs }: Kind<"busy">, world: World): void {
  const be = (isBusy: boolean): void => {
    world.isBusy = isBusy;
    world.observe({ kind: "machine", state: isBusy ? "busy" : "well" });
  };
  be(true);
  world.time.after(forMs, () => be(false));
}

function setDisk({ state, forMs, index, afterCommits }: Kind<"disk">, world: World): void {
  const { disk, time, observe, plan } = world;
  const chance = forked(plan.seed, "disk", index);
  const untilMs = time.nowMs() + forMs;
  const be = (now: keyof typeof FREE_BYTES): void => {
    disk.refuse(now === "full" || now === "read only" ? now : "well", chance);
    world.freeBytes = FREE_BYTES[now];
    observe({ kind: "disk", state: now });
  };
  let left = afterCommits ?? 0;
  if (left === 0) be(state);
  else
    disk.onCommit(() => {
      left -= 1;
      if (left === 0 && time.nowMs() < untilMs) be(state);
    });
  time.after(forMs, () => be("well"));
}

function detailOf({ index: _index, atMs: _atMs, kind: _kind, ...rest }: Step): string {
  return JSON.stringify(rest);
}
