/** What the world does to a run: operators and receivers that go away, and a disk that is full. Each ends by itself after its time. */
import type { ActorEdges } from "../sim/actors.ts";
import type { HttpsDoor } from "./https-door.ts";
import type { Disk } from "./place.ts";
import type { TcpDoor } from "./tcp-door.ts";
import type { WorldsStep } from "./torture-plan.ts";

export type Troubles = {
  readonly begin: (step: WorldsStep) => void;
  /** Ends whatever trouble there is. */
  readonly endAll: () => Promise<void>;
};

type Doors = ReadonlyMap<string, { readonly door: TcpDoor }>;

export function openTroubles(
  { clock, observe }: ActorEdges,
  centres: Doors,
  hooks: HttpsDoor,
  disk: Disk | null,
): Troubles {
  let isFull = false;
  const fault = (name: string, detail: string) => observe({ kind: "fault", name, detail });
  const open = (door: Pick<TcpDoor, "isOpen" | "open">): Promise<void> =>
    door.isOpen() ? Promise.resolve() : door.open();
  const empty = (): void => {
    if (!isFull) return;
    isFull = false;
    disk?.empty();
    observe({ kind: "disk", state: "well" });
  };
  /** A door that cannot be opened ends the run: then nothing that follows would mean anything. */
  const openLater = (forMs: number, door: Pick<TcpDoor, "isOpen" | "open">): void => {
    clock.after(forMs, () => void open(door));
  };
  return {
    begin: (step) => {
      switch (step.kind) {
        case "operator reset":
          fault("operator: links ended", `${step.centre}, ${step.how}`);
          centres.get(step.centre)?.door.drop(step.how);
          return;
        case "operator killed": {
          const door = centres.get(step.centre)?.door;
          fault("operator: away", `${step.centre}, for ${step.forMs} ms`);
          door?.shut();
          if (door) openLater(step.forMs, door);
          return;
        }
        case "receiver killed":
          fault("receiver: away", `for ${step.forMs} ms`);
          hooks.shut();
          openLater(step.forMs, hooks);
          return;
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
      await Promise.all([...[...centres.values()].map(({ door }) => open(door)), open(hooks)]);
    },
  };
}
