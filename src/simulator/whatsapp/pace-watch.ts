/** Looks after how fast posts come: those of one number, and those to one user. */
export type PaceWatch = {
  /** The code of the limit that a post at a steady time breaks; null: none, and it counts. */
  readonly take: (phone: string, to: string, steadyMs: number) => number | null;
};

const SECOND_MS = 1000;

export function paceWatch(limits: () => { readonly throughput: number; readonly pairMs: number }): PaceWatch {
  const recent = new Map<string, number[]>();
  const lastTo = new Map<string, number>();
  return {
    take: (phone, to, steadyMs) => {
      const { throughput, pairMs } = limits();
      const times = recent.get(phone) ?? [];
      while ((times[0] ?? steadyMs) <= steadyMs - SECOND_MS) times.shift();
      if (throughput > 0 && times.length >= throughput) return 130429;
      const pair = `${phone} ${to}`;
      const last = lastTo.get(pair);
      if (last !== undefined && steadyMs < last + pairMs) return 131056;
      times.push(steadyMs);
      recent.set(phone, times);
      lastTo.set(pair, steadyMs);
      return null;
    },
  };
}
