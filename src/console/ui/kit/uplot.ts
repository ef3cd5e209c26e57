/** Draws with uPlot. In a chunk of its own, which pages without pictures do not load. */
import uPlot from "uplot";

/** What tells parts of bars apart where colours do not. */
export type Texture = "lines" | "columns" | "dots" | "strokes";

export type Drawing = {
  /** Seconds since the epoch, at equal distances where bars are drawn. */
  readonly times: readonly number[];
  /** With its colour; parts of bars from the bottom up. */
  readonly series: readonly { readonly values: readonly (number | null)[]; readonly colour: string }[];
  /** What tells series apart where colours do not: dashes of lines, textures of parts of bars. */
  readonly shape:
    | { readonly kind: "lines"; readonly dashes: readonly (readonly number[])[] }
    | { readonly kind: "bars"; readonly textures: readonly (Texture | null)[] };
  /** A time and a value for the reader, below and beside the picture. */
  readonly tick: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly bounds?: readonly [number | null, number | null] | undefined;
  readonly onPoint: (place: number | null) => void;
  readonly ink: string;
  readonly line: string;
  /** What stands behind the picture. */
  readonly paper: string;
  readonly width: number;
  readonly height: number;
};

/** Lines this short show their points: a lone day has no line. */
const FEW = 40;
/** The room that the name of a time needs, in pixels. */
const TICK = 72;
/** The part of its place that a bar fills, and its greatest width in pixels. */
const BAR = [0.72, 36] as const;

/** Draws lines or bars over time into an element. */
export function draw(element: HTMLElement, drawing: Drawing): uPlot {
  const { times, shape, ink, line, width, height, format, tick, onPoint } = drawing;
  const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 } };
  const [low = null, high = null] = drawing.bounds ?? [];
  const isBars = shape.kind === "bars";
  const { series, values } = isBars ? barsOf(drawing, shape.textures) : linesOf(drawing, shape.dashes);
  return new uPlot(
    {
      width,
      height,
      legend: { show: false },
      cursor: { drag: { x: false, y: false }, y: false, points: { show: !isBars } },
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
      scales: {
        x: { time: false, range: (_plot, least, most) => besideOf(times, least, most, isBars) },
        y: { range: (_plot, least, most) => rangeOf(least, most, low, high) },
      },
      axes: [
        {
          ...axis,
          size: 34,
          grid: { show: false },
          splits: (plot) => ticksOf(times, plot.width),
          values: (_plot, splits) => splits.map(tick),
        },
        {
          ...axis,
          size: 64,
          ...(isBars && { incrs: WHOLE }),
          values: (_plot, splits) => splits.map(format),
        },
      ],
      series: [{}, ...series],
    },
    [[...times], ...values],
    element,
  );
}

/** Distances between whole numbers: there is no half message. */
const WHOLE = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((step) => step * 10 ** power)).flat();

type Drawn = { readonly series: uPlot.Series[]; readonly values: (number | null)[][] };

function linesOf({ times, series }: Drawing, dashes: readonly (readonly number[])[]): Drawn {
  return {
    series: series.map(({ colour }, place) => ({
      width: 2,
      stroke: colour,
      dash: [...(dashes[place] ?? [])],
      spanGaps: false,
      points: { show: times.length <= FEW, size: 5 },
    })),
    values: series.map(({ values }) => [...values]),
  };
}

/** Bars from the tallest down, each as high as its part and all below it: the next one covers what is not its own. */
function barsOf({ times, series, paper }: Drawing, textures: readonly (Texture | null)[]): Drawn {
  const paths = uPlot.paths.bars?.({ size: [...BAR] });
  const drawn = series.map(({ colour }, place) => ({
    fill: () => textured(colour, paper, textures[place] ?? null),
    width: 0,
    points: { show: false },
    ...(paths && { paths }),
    values: times.map((_, at) =>
      series.slice(0, place + 1).reduce((sum, { values }) => sum + (values[at] ?? 0), 0),
    ),
  }));
  drawn.reverse();
  return {
    series: drawn.map(({ values: _, ...each }) => each),
    values: drawn.map(({ values }) => values),
  };
}

/** The width of a texture's tile in pixels of the page. */
const TILE = 6;

/** A colour with a texture in the colour of the paper. */
function textured(colour: string, paper: string, texture: Texture | null): string | CanvasPattern {
  if (texture === null) return colour;
  const size = Math.round(TILE * devicePixelRatio);
  const tile = document.createElement("canvas");
  tile.width = size;
  tile.height = size;
  const context = tile.getContext("2d");
  if (context === null) return colour;
  context.fillStyle = colour;
  context.fillRect(0, 0, size, size);
  context.strokeStyle = paper;
  context.fillStyle = paper;
  context.lineWidth = size / 5;
  switch (texture) {
    case "lines":
      context.fillRect(0, 0, size, size / 4);
      break;
    case "columns":
      context.fillRect(0, 0, size / 4, size);
      break;
    case "dots":
      context.fillRect(size / 3, size / 3, size / 3, size / 3);
      break;
    case "strokes":
      context.beginPath();
      for (const from of [-size, 0, size]) {
        context.moveTo(from, size);
        context.lineTo(from + size, 0);
      }
      context.stroke();
      break;
  }
  return context.createPattern(tile, "repeat") ?? colour;
}

/** As many of the times as have room for their names; the last one among them. */
function ticksOf(times: readonly number[], width: number): number[] {
  const every = Math.max(1, Math.ceil(times.length / Math.max(1, Math.floor(width / TICK))));
  return times.filter((_, place) => (times.length - 1 - place) % every === 0);
}

/** The times from left to right, with room for half a bar beside the first and the last one. */
function besideOf(times: readonly number[], least: number, most: number, isBars: boolean): [number, number] {
  const [first = 0, second = first + 1] = times;
  const beside = isBars || least === most ? (second - first) / 2 : 0;
  return [least - beside, most + beside];
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
