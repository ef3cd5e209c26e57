import { useMemo } from "preact/hooks";
import type { ReportsWords } from "../../../../i18n/words.gen.d.ts";
import { Chart, type ChartLine } from "../../kit/chart.tsx";
import { Section } from "../../kit/page.tsx";
import { reports } from "../../words/reports.ts";
import { figures } from "../../words/words.ts";
import { keyName, type Report } from "./report-table.tsx";

/** A line of two days at least is a picture. */
const FEWEST = 2;

/** How it went from day to day: of all, or of those with most messages. */
export function ReportPictures({ report }: { readonly report: Report }) {
  const times = useMemo(() => report.days.map((day) => Date.parse(`${day}T12:00:00Z`) / 1000), [report]);
  if (report.days.length < FEWEST || report.lines.length === 0) return null;
  const words = reports.value;
  const isOfFour = report.by !== "day" && report.rows.length > report.lines.length;
  return (
    <>
      <div class="pair">
        {report.by === "error" ? (
          <Picture
            report={report}
            times={times}
            title={words.errorChart}
            label={words.errorChartLabel}
            format={figures.number}
            linesOf={(shown) =>
              shown.lines.map((line) => ({ label: keyName(shown, line), values: line.accepted }))
            }
          />
        ) : (
          <>
            <Picture
              report={report}
              times={times}
              title={words.shareChart}
              label={words.shareChartLabel}
              format={(value) => figures.share(value / 100)}
              most={100}
              linesOf={(shown) =>
                shown.lines.map((line) => ({ label: nameOf(shown, line), values: line.share.map(percent) }))
              }
            />
            <Picture
              report={report}
              times={times}
              title={words.timeChart}
              label={words.timeChartLabel}
              format={figures.delay}
              linesOf={timeLines}
            />
          </>
        )}
      </div>
      {isOfFour && <p class="note">{words.largest}</p>}
    </>
  );
}

function percent(share: number | null): number | null {
  return share === null ? null : share * 100;
}

function nameOf(report: Report, line: Report["lines"][number]): string {
  return report.by === "day" ? reports.value.share : keyName(report, line);
}

/** Of all: half and nine of ten. Of several: half of each. */
function timeLines(report: Report): ChartLine[] {
  const { by, lines } = report;
  const words = reports.value;
  const [first] = lines;
  if (by === "day" && first) {
    return [
      { label: words.medianLine, values: first.p50 },
      { label: words.slowLine, values: first.p90 },
    ];
  }
  return lines.map((line) => ({ label: keyName(report, line), values: line.p50 }));
}

type PictureProps = {
  readonly report: Report;
  readonly times: readonly number[];
  readonly title: string;
  readonly label: ReportsWords["errorChartLabel"];
  readonly format: (value: number) => string;
  readonly linesOf: (report: Report) => readonly ChartLine[];
  readonly most?: number;
};

function Picture({ report, times, title, label, format, linesOf, most }: PictureProps) {
  const words = reports.value;
  const lines = useMemo(() => linesOf(report), [report, words]);
  const what = report.by === "day" ? words.all : lines.map((line) => line.label).join(", ");
  return (
    <Section title={title}>
      <Chart label={label({ what })} times={times} lines={lines} format={format} bounds={[0, most ?? null]} />
    </Section>
  );
}
