import type { Store } from "../../src/db/store.ts";

/**
 * A store whose writes go through `pass` first, those of one job as well as those of many items: it may wait, or throw, and
 * then nothing is written.
 */
export function passingStore(real: Store, pass: () => Promise<void> | void): Store {
  return {
    ...real,
    write: async (job, durable) => {
      await pass();
      return real.write(job, durable);
    },
    writeEach: async (items, work, durable) => {
      try {
        await pass();
      } catch (reason) {
        return items.map(() => ({ status: "rejected", reason }));
      }
      return real.writeEach(items, work, durable);
    },
  };
}
