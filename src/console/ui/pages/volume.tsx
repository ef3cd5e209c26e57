/** The picture of the traffic that the start pages and the reports begin with: messages by hour or by day, and what became of them. */
import { useMemo, useState } from "preact/hooks";
import type { Query } from "../api/client.ts";
import type { Answer } from "../api/contract.ts";
import { dayShort, hourOf, hourOfDay } from "../format.ts";
import { type BarPart, Empty, ErrorBox, Note, Section, StackedBars } from "../kit/kit.ts";
import { language, timezone } from "../state/preferences.ts";
import { useAnswer } from "../state/use-request.ts";
import { volume } from "../words/volume.ts";

type Volume = Answer<"GET /reports/volume">;
type Span = Volume["span"];

const SPANS = ["24h", "30d"] as const satisfies readonly Span[];

type TrafficPictureProps = {
  /** Of what; of everything that the reader may see without it. */
  readonly of?: Omit<Query<"GET /reports/volume">, "span">;
  /** Another version is asked for anew. */
  readonly version?: string;
};

export function TrafficPicture({ of = {}, version }: TrafficPictureProps) {
  const [span, setSpan] = useState<Span>("24h");
  const { value, problem, reload } = useAnswer("GET /reports/volume", { query: { ...of, span } }, version);
  const words = volume.value;
  return (
    <Section title={words.title} aside={<SpanSwitch span={span} onChoose={setSpan} />}>
      <ErrorBox problem={problem} onRetry={reload} />
      {value && !problem && <Bars view={value} />}
    </Section>
  );
}

type SwitchProps = { readonly span: Span; readonly onChoose: (span: Span) => void };

function SpanSwitch({ span, onChoose }: SwitchProps) {
  const words = volume.value;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is part of a form.
    <div class="switch" role="group" aria-label={words.span}>
      {SPANS.map((each) => (
        <button key={each} type="button" aria-pressed={each === span} onClick={() => onChoose(each)}>
          {words.spans[each]}
        </button>
      ))}
    </div>
  );
}

function Bars({ view }: { readonly view: Volume }) {
  const words = volume.value;
  const { span, points } = view;
  const times = useMemo(() => points.map(({ at }) => secondsOf(at)), [view]);
  const parts = useMemo(
    (): readonly BarPart[] => [
      { label: words.delivered, fill: "good", values: points.map(({ delivered }) => delivered) },
      { label: words.withoutReceipt, fill: "warn", values: points.map((point) => point.without_receipt) },
      { label: words.underWay, fill: "busy", values: points.map((point) => point.under_way) },
      { label: words.cancelled, fill: "idle", values: points.map(({ cancelled }) => cancelled) },
      { label: words.failed, fill: "bad", values: points.map(({ failed }) => failed) },
    ],
    [view, words],
  );
  if (parts.every(({ values }) => values.every((count) => count === 0)))
    return <Empty title={words.none[span]}>{words.noneHelp}</Empty>;
  const instant = (seconds: number) => new Date(seconds * 1000).toISOString();
  const day = (seconds: number) => dayShort(language.value, instant(seconds));
  const hours = {
    tick: (seconds: number) => hourOf(language.value, timezone.value, instant(seconds)),
    moment: (seconds: number) => hourOfDay(language.value, timezone.value, instant(seconds)),
  };
  return (
    <>
      <StackedBars
        label={words.labels[span]}
        times={times}
        parts={parts}
        sum={words.accepted}
        first={words.firsts[span]}
        whole={words.totals[span]}
        {...(span === "24h" ? hours : { tick: day, moment: day })}
      />
      <Note>{words.note}</Note>
    </>
  );
}

/** The seconds since the epoch of an hour's beginning, or of a day's noon in UTC. */
function secondsOf(at: string): number {
  return Date.parse(at.length > 10 ? at : `${at}T12:00:00Z`) / 1000;
}
