/** How far a batch is, as a bar and in words. */
import { words } from "../words/words.ts";

const TONES = {
  delivered: "good",
  underway: "busy",
  unconfirmed: "busy",
  failed: "bad",
  waiting: "rest",
  cancelled: "rest",
} as const;

export type ProgressShare = {
  readonly of: keyof typeof TONES;
  readonly count: number;
};

type ProgressProps = {
  readonly label: string;
  readonly total: number;
  readonly shares: readonly ProgressShare[];
};

/** A progress bar by state; the same stands below it in words. */
export function Progress({ label, total, shares }: ProgressProps) {
  let from = 0;
  const bars = shares.map(({ of, count }) => {
    const x = from;
    const width = total === 0 ? 0 : (count / total) * 100;
    from += width;
    return <rect key={of} class={`bar-${TONES[of]}`} x={x} y="0" width={width} height="6" />;
  });
  const told = shares.filter(({ count }) => count > 0).map(({ of, count }) => words.value.counted[of](count));
  return (
    <div class="progress">
      <svg viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label={label}>
        <rect class="bar-rest" x="0" y="0" width="100" height="6" />
        {bars}
      </svg>
      <span class="note">{told.join(" · ")}</span>
    </div>
  );
}
