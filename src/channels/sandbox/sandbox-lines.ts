/**
 * The operator that is played for sandboxes: what test keys send goes to nobody (docs/behaviour.md#test-keys).
 *
 * Begin here. Messages of sandboxes wait in lanes of their own (core/sandbox.ts), for which no channel opens a line: no operator of
 * the configuration can have such a code, and the schema lets no message change sides. This room has a line for each such lane. It goes
 * through the same queue, gate, claims and facts as any channel, and in place of a link there is a table of endings (`endings.ts`).
 * What a message waits for after that is kept (`steps.ts`), and done when it is due (`step-runner.ts`).
 */

import type { Settings } from "../../config/in-force.ts";
import { type Clock, isStartDoubted } from "../../core/clock.ts";
import { errorFields, type Log } from "../../core/log.ts";
import { isSandboxLane, sandboxOf } from "../../core/sandbox.ts";
import type { Store } from "../../db/store.ts";
import { claimer } from "../../dispatch/claim.ts";
import type { Line, LineTools, OpenLines, OpenRest, SettleUnheld } from "../../dispatch/line.ts";
import { type LineQueue, lineQueue } from "../../dispatch/line-queue.ts";
import { ownedWork } from "../../dispatch/owned-work.ts";
import { isBySecondWay } from "../../domain/messages/second-ways.ts";
import { type Desk, desk } from "./desk.ts";
import { type StepRunner, stepRunner } from "./step-runner.ts";
import { turns } from "./turns.ts";

export type SandboxDeps = {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
};

type SandboxLine = Line & Pick<Desk, "begin"> & Pick<LineQueue, "take">;

/** What the delivery is given: the lines of the channels, those for the lanes of sandboxes, and what `live` says with what they say. */
export function withSandboxes(deps: SandboxDeps, openLines: readonly OpenLines[], live: SettleUnheld) {
  return { openLines, openRest: sandboxLines(deps), settleUnheld: settling(live) };
}

/** A message of a sandbox that nobody holds was handed to nobody: it waits for its turn again. */
export function settling(live: SettleUnheld): SettleUnheld {
  return (tx, session, message, nowMs) => {
    if (isSandboxLane(message.operator)) session.apply({ kind: "not_written", messageId: message.messageId });
    else live(tx, session, message, nowMs);
  };
}

/** Opens a line for each lane of sandboxes that messages wait in. */
function sandboxLines(deps: SandboxDeps): OpenRest {
  const { settings, store, clock, log } = deps;
  return (tools) => {
    const lines = new Map<string, SandboxLine>();
    const steps = stepRunner({ store, clock, log });
    const { ask, stop } = turns({
      store,
      clock,
      log,
      throughput: () => settings.now().sandbox.throughput,
      isHeld: () => isStartDoubted(clock) || !tools.mayClaim(),
      begin: (room) => beginWith([...lines.values()], room),
    });
    const shared = { ...deps, tools, steps, ask };
    return {
      lineOf: (code) => {
        if (!isSandboxLane(code)) return null;
        const line = lines.get(code) ?? sandboxLine(shared, code);
        lines.set(code, line);
        return line;
      },
      halt: stop,
      stop: steps.stop,
    };
  };
}

/** Begins with up to `room` messages, one of each line in turn. */
function beginWith(lines: readonly SandboxLine[], room: number): number {
  let begun = 0;
  let left = lines;
  while (begun < room && left.length > 0) {
    left = left.filter((line) => {
      const candidate = begun < room ? line.take() : null;
      if (!candidate) return begun >= room;
      line.begin(candidate);
      begun += 1;
      return true;
    });
  }
  return begun;
}

type Shared = SandboxDeps & {
  readonly tools: LineTools;
  readonly steps: StepRunner;
  readonly ask: () => void;
};

function sandboxLine({ settings, store, clock, log, tools, steps, ask }: Shared, code: string): SandboxLine {
  const { recorder, holds } = tools;
  const work = ownedWork((error) => {
    log.error("what a sandbox's operator does could not be written down", {
      lane: code,
      ...errorFields(error),
    });
  });
  let isHalted = false;
  const isStopping = (): boolean => isHalted;
  const queue = lineQueue({ settings, store, clock, log, own: work.own, onReady: ask, onOver: tools.onOver });
  const claim = claimer({ queue, recorder, holds, clock, isStopping, parkedBefore: () => 0 });
  const isSecondWay = (messageId: number): boolean => isBySecondWay(store.read, messageId);
  const table = desk({ queue, claim, recorder, holds, clock, work, steps, isStopping, isSecondWay });
  const halt = (): void => {
    if (isHalted) return;
    isHalted = true;
    queue.clear();
    table.handBack();
  };
  const end = async (): Promise<void> => {
    halt();
    await work.idle();
  };
  return {
    take: () => (isHalted ? null : queue.take()),
    begin: table.begin,
    open: (batch, all) => {
      if (!isHalted) queue.open(batch, all);
    },
    passage: () => null,
    knows: queue.knows,
    accountChanged: (accountId) => queue.changed(sandboxOf(accountId)),
    status: () => [],
    halt,
    stop: end,
    leave: end,
  };
}
