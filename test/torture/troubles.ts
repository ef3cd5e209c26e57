/** What the world does to a run: operators and receivers that go away, and a disk that is full. Each ends by itself after its time. */
import type { ActorEdges } from "../sim/actors.ts";
import type { Centre } from "../sim/centre/open-centre.ts";
import type { Door } from "./door.ts";
import type { Disk } from "./place.ts";
import type { WorldsStep } from "./torture-plan.ts";

export type Troubles = {
  readonly begin: (step: WorldsStep) => void;
  /** Ends whatever trouble there is. */
  readonly endAll: () => Promise<void>;
};

type Centres = ReadonlyMap<string, { readonly door: Door; readonly centre: Pick<Centre, "dropAll"> }>;

export function openTroubles(
  { clock, observe }: ActorEdges,
  centres: Centres,
  receivers: ReadonlyMap<string, Door>,
  disk: Disk | null,
): Troubles {
  let isFull = false;
  const fault = (name: string, detail: string) => observe({ kind: "fault", name, detail });
  const empty = (): void => {
    if (!isFull) return;
    isFull = false;
    disk?.empty();
    observe({ kind: "disk", state: "well" });
  };
  const away = (door: Door | undefined, forMs: number): void => {
    door?.shut();
    // One that cannot be opened again ends the run: nothing that follows would mean anything.
    clock.after(forMs, () => void door?.open());
  };
  return {
    begin: (step) => {
      switch (step.kind) {
        case "operator reset":
          fault("operator: links ended", `${step.centre}, ${step.how}`);
          return centres.get(step.centre)?.centre.dropAll(step.how);
        case "operator killed":
          fault("operator: away", `${step.centre}, for ${step.forMs} ms`);
          return away(centres.get(step.centre)?.door, step.forMs);
        case "receiver killed":
          fault("receiver: away", `${step.receiver}, for ${step.forMs} ms`);
          return away(receivers.get(step.receiver), step.forMs);
        case "disk filled":
          if (!disk || isFull) return;
          isFull = true;
          disk.fill();
          observe({ kind: "disk", state: "full" });
          clock.after(step.forMs, empty);
      }
    },
    endAll: async () => {
      empty();
      const doors = [...[...centres.values()].map(({ door }) => door), ...receivers.values()];
      await Promise.all(doors.map((door) => door.open()));
    },
  };
}
