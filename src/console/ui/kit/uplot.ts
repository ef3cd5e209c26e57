/** Draws with uPlot. In a piece of its own, which pages without pictures do not load. */
import uPlot from "uplot";

type Drawing = {
  readonly times: readonly number[];
  readonly lines: readonly { readonly label: string; readonly values: readonly (number | null)[] }[];
  readonly colours: readonly string[];
  readonly ink: string;
  readonly width: number;
  readonly height: number;
};

/** Draws lines over time into an element. */
export function draw(element: HTMLElement, { times, lines, colours, ink, width, height }: Drawing): uPlot {
  const grid = { stroke: `${colours[0] ?? ink}22`, width: 1 };
  return new uPlot(
    {
      width,
      height,
      cursor: { drag: { x: false, y: false } },
      axes: [
        { stroke: ink, grid },
        { stroke: ink, grid, size: 56 },
      ],
      series: [
        {},
        ...lines.map(({ label }, place) => ({
          label,
          width: 2,
          stroke: colours[place % colours.length] ?? ink,
          spanGaps: false,
          ...(place % 2 === 1 ? { dash: [6, 4] } : {}),
        })),
      ],
    },
    [[...times], ...lines.map(({ values }) => [...values])],
    element,
  );
}
