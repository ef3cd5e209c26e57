/** Pictures of figures over time, each with a legend that tells the values at the pointer, and with a table of the same figures. */
import type { ComponentChildren } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import type uPlot from "uplot";
import { dayShort, dayWord } from "../format.ts";
import { language, theme } from "../state/preferences.ts";
import { figures, words } from "../words/words.ts";
import { column, numberColumn, Table } from "./table.tsx";
import type { Drawing, Texture } from "./uplot.ts";

export type ChartLine = { readonly label: string; readonly values: readonly (number | null)[] };

type ChartProps = {
  /** What it shows, in a sentence. */
  readonly label: string;
  /** Seconds since the epoch: the noon of each day, UTC. */
  readonly times: readonly number[];
  readonly lines: readonly ChartLine[];
  /** Formats a value for the reader; a plain number without it. */
  readonly format?: (value: number) => string;
  /** The lowest and the highest value possible; taken from the values without it. */
  readonly bounds?: readonly [number | null, number | null];
  /** Whether the same figures stand in a table beside it: then it has none of its own. */
  readonly isTabled?: boolean;
};

const HEIGHT = 220;
const COLOURS = ["--accent", "--warn", "--good", "--soft"];
/** What tells lines apart where colours do not: lengths of dashes and of gaps. */
const DASHES = [[], [6, 4], [2, 3], [10, 3, 2, 3]];

/** Lines over days. */
export function Chart({ label, times, lines, format = String, bounds, isTabled = false }: ChartProps) {
  const [at, setAt] = useState<number | null>(null);
  const shownLanguage = language.value;
  const day = (seconds: number) => dayShort(shownLanguage, new Date(seconds * 1000).toISOString());
  const shown = at ?? lastKnown(lines);
  const valueAt = ({ values }: ChartLine, place: number) => {
    const value = values[place] ?? null;
    return value === null ? "–" : format(value);
  };
  const drawn = useMemo(
    () => ({
      times,
      tick: day,
      format,
      bounds,
      series: lines.map(({ values }, place) => ({ values, colour: placed(COLOURS, place, "--ink") })),
      shape: { kind: "lines" as const, dashes: lines.map((_, place) => placed(DASHES, place, [])) },
    }),
    [times, lines, shownLanguage],
  );
  return (
    <Picture
      label={label}
      drawn={drawn}
      onPoint={setAt}
      moment={times[shown] === undefined ? null : day(times[shown])}
      legend={lines.map((line, place) => ({
        label: line.label,
        value: valueAt(line, shown),
        sign: <LineSign place={place} />,
      }))}
      table={
        isTabled ? null : (
          <Table
            caption={label}
            columns={[
              column(figures.saying(dayWord(shownLanguage)), (place: number) => day(times[place] ?? 0)),
              ...lines.map((line) => numberColumn(line.label, (place: number) => valueAt(line, place))),
            ]}
            rows={times.map((_, place) => place).reverse()}
            keyOf={(place) => place}
          />
        )
      }
    />
  );
}

/** The last place at which a line has a value. */
function lastKnown(lines: readonly ChartLine[]): number {
  return Math.max(0, ...lines.map(({ values }) => values.findLastIndex((value) => value !== null)));
}

function placed<Value>(values: readonly Value[], place: number, otherwise: Value): Value {
  return values[place % values.length] ?? otherwise;
}

function LineSign({ place }: { readonly place: number }) {
  return (
    <svg class={`line-sign mark-${place % COLOURS.length}`} viewBox="0 0 22 10" aria-hidden="true">
      <path d="M0 5h22" stroke-dasharray={placed(DASHES, place, []).join(" ")} />
    </svg>
  );
}

/** What a part of a bar is filled with; the texture tells it where the colour does not. */
const FILLS = {
  good: { colour: "--good", texture: null },
  warn: { colour: "--warn", texture: "lines" },
  busy: { colour: "--accent", texture: "dots" },
  idle: { colour: "--soft", texture: "columns" },
  bad: { colour: "--bad", texture: "strokes" },
} as const satisfies Readonly<Record<string, { colour: string; texture: Texture | null }>>;

/** One part of each bar, from the bottom up. */
export type BarPart = {
  readonly label: string;
  readonly fill: keyof typeof FILLS;
  readonly values: readonly number[];
};

type BarsProps = {
  /** What it shows, in a sentence. */
  readonly label: string;
  /** Seconds since the epoch, at equal distances. */
  readonly times: readonly number[];
  readonly parts: readonly BarPart[];
  /** What all parts together are called, and what the first column of the table is. */
  readonly sum: string;
  readonly first: string;
  /** A time as it stands below the picture, and as it stands in the legend and in the table. */
  readonly tick: (seconds: number) => string;
  readonly moment: (seconds: number) => string;
  /** What the legend calls all of the times together. */
  readonly whole: string;
};

/** Bars over time, each of the same parts; the legend tells the sums of all while nothing is pointed at. */
export function StackedBars({ label, times, parts, sum, first, tick, moment, whole }: BarsProps) {
  const [at, setAt] = useState<number | null>(null);
  const shownLanguage = language.value;
  const sumAt = (place: number) => parts.reduce((all, { values }) => all + (values[place] ?? 0), 0);
  const drawn = useMemo(
    () => ({
      times,
      tick,
      format: figures.number,
      bounds: [0, null] as const,
      series: parts.map(({ values, fill }) => ({ values, colour: FILLS[fill].colour })),
      shape: { kind: "bars" as const, textures: parts.map(({ fill }) => FILLS[fill].texture) },
    }),
    [times, parts, shownLanguage],
  );
  const pointed = at === null ? undefined : times[at];
  const toldOf = (values: readonly number[]) =>
    figures.number(
      at === null || pointed === undefined
        ? values.reduce((all, value) => all + value, 0)
        : (values[at] ?? 0),
    );
  return (
    <Picture
      label={label}
      drawn={drawn}
      onPoint={setAt}
      moment={pointed === undefined ? whole : moment(pointed)}
      legend={[
        { label: sum, value: toldOf(times.map((_, place) => sumAt(place))), sign: null },
        ...parts.map(({ label, fill, values }) => ({
          label,
          value: toldOf(values),
          sign: <FillSign fill={fill} />,
        })),
      ]}
      table={
        <Table
          caption={label}
          columns={[
            column(first, (place: number) => <span class="whole">{moment(times[place] ?? 0)}</span>),
            numberColumn(sum, (place: number) => figures.number(sumAt(place))),
            ...parts.map(({ label, values }) =>
              numberColumn(label, (place: number) => figures.number(values[place] ?? 0)),
            ),
          ]}
          rows={times.map((_, place) => place).reverse()}
          keyOf={(place) => place}
        />
      }
    />
  );
}

const TEXTURES: Readonly<Record<Texture, string>> = {
  lines: "M0 3h12M0 6h12M0 9h12",
  columns: "M3 0v12M6 0v12M9 0v12",
  dots: "M3 3h.01M9 3h.01M3 9h.01M9 9h.01M6 6h.01",
  strokes: "M-1 7 7-1M-1 13 13-1M5 13l8-8",
};

function FillSign({ fill }: { readonly fill: keyof typeof FILLS }) {
  const { texture } = FILLS[fill];
  return (
    <svg class={`fill-sign mark-${fill}`} viewBox="0 0 12 12" aria-hidden="true">
      <rect width="12" height="12" />
      {texture !== null && <path class={texture} d={TEXTURES[texture]} />}
    </svg>
  );
}

type PictureProps = {
  readonly label: string;
  readonly drawn: Pick<Drawing, "times" | "tick" | "format" | "bounds" | "series" | "shape">;
  /** Told which time the pointer is at; null where it is elsewhere. */
  readonly onPoint: (place: number | null) => void;
  /** The time that the legend tells the values of. */
  readonly moment: string | null;
  readonly legend: readonly {
    readonly label: string;
    readonly value: string;
    readonly sign: ComponentChildren;
  }[];
  readonly table: ComponentChildren;
};

/** The frame of a picture. The drawing library is loaded with the first one. */
function Picture({ label, drawn, onPoint, moment, legend, table }: PictureProps) {
  const place = useRef<HTMLDivElement>(null);
  const shownTheme = theme.value;
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
        ...drawn,
        series: drawn.series.map(({ values, colour }) => ({ values, colour: colourOf(colour) })),
        onPoint,
        ink: colourOf("--soft"),
        line: colourOf("--line"),
        paper: colourOf("--paper"),
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
  }, [drawn, shownTheme]);
  return (
    <figure class="chart">
      <figcaption class="unseen">{label}</figcaption>
      <ul class="legend">
        {moment !== null && <li class="when">{moment}</li>}
        {legend.map((each) => (
          <li key={each.label}>
            {each.sign}
            {each.label} <b>{each.value}</b>
          </li>
        ))}
      </ul>
      <div ref={place} class="plot" role="img" aria-label={label} />
      {table !== null && (
        <details>
          <summary>{words.value.inFigures}</summary>
          {table}
        </details>
      )}
    </figure>
  );
}
