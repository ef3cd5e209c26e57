/** Pictures of figures by day. */
import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { language, theme } from "../state/preferences.ts";

export type ChartLine = { readonly label: string; readonly values: readonly (number | null)[] };

type ChartProps = {
  /** What it shows, in a sentence; the same figures stand in a table beside it. */
  readonly label: string;
  /** Seconds since the epoch: the noon of each day, UTC. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Formats a value for the reader; a plain number without it. */
  readonly format?: (value: number) => string;
  /** The lowest and the highest value possible; taken from the values without it. */
  readonly bounds?: readonly [number | null, number | null];
};

const HEIGHT = 220;
const COLOURS = ["--accent", "--warn", "--good", "--soft"];

/** Lines over days. The drawing library is loaded with the first picture. */
export function Chart({ label, times, lines, format = String, bounds }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const shownTheme = theme.value;
  const shownLanguage = language.value;
  useEffect(() => {
    let plot: uPlot | null = null;
    let isGone = false;
    const fit = () => {
      if (place.current) plot?.setSize({ width: place.current.clientWidth, height: HEIGHT });
    };
    void import("./uplot.ts").then(({ draw }) => {
      const element = place.current;
      if (isGone || !element) return;
      const style = getComputedStyle(element);
      const colourOf = (name: string) => style.getPropertyValue(name).trim();
      plot = draw(element, {
        times,
        lines,
        format,
        bounds,
        height: HEIGHT,
        colours: COLOURS.map(colourOf),
        ink: colourOf("--soft"),
        line: colourOf("--line"),
        width: element.clientWidth,
        language: shownLanguage,
      });
    });
    addEventListener("resize", fit);
    return () => {
      isGone = true;
      removeEventListener("resize", fit);
      plot?.destroy();
    };
  }, [times, lines, shownTheme, shownLanguage]);
  return (
    <figure class="chart">
      <div ref={place} role="img" aria-label={label} />
      <figcaption>{label}</figcaption>
    </figure>
  );
}
