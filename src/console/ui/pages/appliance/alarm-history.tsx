import { type Column, Section, Table } from "../../kit/kit.ts";
import { appliance } from "../../words/appliance.ts";
import { ruleWord } from "../../words/troubles.ts";
import { figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import type { ShownAlarms } from "./alarms.tsx";

type Delivery = ShownAlarms["deliveries"][number];
type Past = ShownAlarms["history"][number];

function named(rule: string, subject: string | null): string {
  return [ruleWord(rule), subject].filter(Boolean).join(" · ");
}

/** What somebody was told of; of a test, which is no alarm, who asked for it. */
function Whereof({ rule, subject, by }: Delivery) {
  const { alarms: words } = appliance.value;
  if (by === null) return <>{named(rule, subject)}</>;
  return (
    <>
      {words.trial}
      <span class="note">{words.askedBy({ who: by })}</span>
    </>
  );
}

/** What was told to whom, and what was wrong before. */
export function AlarmHistory({ view }: { readonly view: ShownAlarms }) {
  const { alarms: words } = appliance.value;
  const told: readonly Column<Delivery>[] = [
    { ...titled("at", words.at), cell: ({ at }) => figures.time(at) },
    { ...titled("rule", words.rule), cell: (row) => <Whereof {...row} /> },
    {
      ...titled("to", words.recipient),
      cell: ({ channel, recipient }) => [words.channelNames[channel], recipient].filter(Boolean).join(" · "),
    },
    {
      ...titled("result", words.result),
      cell: ({ outcome, error }) => (
        <>
          {words.outcomes[outcome] ?? outcome}
          {error !== null && <span class="note">{error}</span>}
        </>
      ),
    },
  ];
  const past: readonly Column<Past>[] = [
    { ...titled("at", words.at), cell: ({ since }) => figures.time(since) },
    {
      ...titled("what", words.what),
      cell: ({ rule, subject, detail }) => (
        <>
          {detail}
          <span class="note">{named(rule, subject)}</span>
        </>
      ),
    },
    {
      ...titled("ended", words.ended),
      cell: (row) => (row.ended_at === null ? words.lasts : figures.time(row.ended_at)),
    },
  ];
  return (
    <>
      <Section title={words.deliveries}>
        <Table
          caption={words.deliveries}
          columns={told}
          rows={view.deliveries.map((one, place) => ({ ...one, place: String(place) }))}
          keyOf={(one) => `${one.at} ${one.rule} ${one.channel} ${one.recipient} ${one.state}`}
          empty={<p class="note">{words.noDeliveries}</p>}
        />
      </Section>
      <Section title={words.history}>
        <Table
          caption={words.history}
          columns={past}
          rows={view.history}
          keyOf={({ rule, subject, since }) => `${rule} ${subject} ${since}`}
          empty={<p class="note">{words.noHistory}</p>}
        />
      </Section>
    </>
  );
}
