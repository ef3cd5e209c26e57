import { useEffect, useRef } from "preact/hooks";
import type uPlot from "uplot";
import { language, theme } from "../state/choices.ts";

export type ChartLine = { readonly label: string; readonly values: readonly (number | null)[] };

type ChartProps = {
  /** What it shows, in a sentence; the same figures stand in a table beside it. */
  readonly label: string;
  /** Seconds since the epoch. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
};

const HEIGHT = 220;
const COLOURS = ["--accent", "--good", "--warn", "--bad"];

/** Lines over time. What draws them is loaded when the first picture is shown. */
export function Chart({ label, times, lines }: ChartProps) {
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
      const colours = COLOURS.map((name) => style.getPropertyValue(name).trim());
      plot = draw(element, {
        times,
        lines,
        colours,
        ink: style.color,
        width: element.clientWidth,
        height: HEIGHT,
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
