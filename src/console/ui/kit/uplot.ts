/** Draws with uPlot. In a chunk of its own, which pages without pictures do not load. */
import uPlot from "uplot";
import { type ConsoleLanguage, dayShort, dayWord } from "../format.ts";

type Drawing = {
  /** Seconds since the epoch: the noon of each day, UTC. */
  readonly times: readonly number[];
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  readonly colours: readonly string[];
  readonly ink: string;
  readonly line: string;
  readonly width: number;
  readonly height: number;
  readonly language: ConsoleLanguage;
  readonly format: (value: number) => string;
  readonly bounds?: readonly [number | null, number | null] | undefined;
};

const DAY = 86_400;
/** Distances of ticks, in days. */
const STEPS = [1, 2, 3, 5, 7, 14, 28, 61, 92, 183].map((days) => days * DAY);
/** What tells lines apart where colours do not. */
const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];
/** Lines this short show their points: a lone day has no line. */
const FEW = 40;

/** Draws lines over days into an element. */
export function draw(
  element: HTMLElement,
  { times, lines, colours, ink, line, width, height, language, format, bounds }: Drawing,
): uPlot {
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const day = (seconds: number) => dayShort(language, new Date(seconds * 1000).toISOString());
  const [low = null, high = null] = bounds ?? [];
  return new uPlot(
    {
      width,
      height,
      tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1000), "UTC"),
      cursor: { drag: { x: false, y: false } },
      scales: { y: { range: (_plot, least, most) => rangeOf(least, most, low, high) } },
      axes: [
        { ...axis, incrs: STEPS, space: 64, values: (_plot, splits) => splits.map(day) },
        { ...axis, size: 64, values: (_plot, splits) => splits.map(format) },
      ],
      series: [
        { label: dayWord(language), value: (_plot, seconds) => (seconds === null ? "" : day(seconds)) },
        ...lines.map(({ label }, place) => ({
          label,
          width: 2,
          stroke: colours[place % colours.length] ?? ink,
          dash: DASHES[place % DASHES.length] ?? [],
          spanGaps: false,
          points: { show: times.length <= FEW, size: 5 },
          value: (_plot: uPlot, value: number | null) => (value === null ? "–" : format(value)),
        })),
      ],
    },
    [[...times], ...lines.map(({ values }) => [...values])],
    element,
  );
}

/** The range of the picture from bottom to top: the values with some air, and nothing that is impossible. */
function rangeOf(
  least: number | null,
  most: number | null,
  low: number | null,
  high: number | null,
): [number, number] {
  const from = least ?? low ?? 0;
  const to = most ?? high ?? 1;
  const air = (to - from || Math.abs(to) || 1) * 0.12;
  return [
    low === null ? from - air : Math.max(low, from - air),
    high === null ? to + air : Math.min(high, to + air),
  ];
}
