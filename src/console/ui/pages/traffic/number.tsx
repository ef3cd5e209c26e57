import type { Contract } from "../../api/contract.ts";
import { StateBadge } from "../../kit/badge.tsx";
import { Button } from "../../kit/button.tsx";
import { Empty } from "../../kit/empty.tsx";
import { Section } from "../../kit/page.tsx";
import { type Column, Table } from "../../kit/table.tsx";
import { may } from "../../state/session.ts";
import { told } from "../../words/phrases.ts";
import { traffic } from "../../words/traffic.ts";
import { figures } from "../../words/words.ts";
import { OperatorDelivery } from "./operator-delivery.tsx";
import { titled } from "./parts.tsx";
import { Slowed } from "./slowed.tsx";

type NumberView = Contract["GET /operators"]["answer"]["numbers"][number];

type Props = {
  readonly number: NumberView;
  /** How many messages wait for it, in words. */
  readonly waiting: string;
  readonly onPause: () => void;
  readonly onResume: () => void;
};

/** A number of WhatsApp: whether messages leave by it, how fast, and to how many people a day. */
export function WhatsappNumber({ number, waiting, onPause, onResume }: Props) {
  const words = traffic.value.operators;
  const { operator } = number;
  const isHeld = number.paused !== null || number.state === "STOPPED";
  const verb = isHeld ? words.resume({ name: operator }) : words.pause({ name: operator });
  return (
    <Section
      title={operator}
      aside={may("operators.change") && <Button onPress={isHeld ? onResume : onPause}>{verb}</Button>}
    >
      <p class="note">{words.waiting({ count: waiting })}</p>
      <Table
        caption={operator}
        columns={numberColumns()}
        rows={[number]}
        keyOf={() => operator}
        empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
      />
      <Slowed by="META" who="Meta" paces={[number]} />
      <OperatorDelivery code={operator} name={operator} />
    </Section>
  );
}

function numberColumns(): readonly Column<NumberView>[] {
  const { operators, status } = traffic.value;
  return [
    {
      ...titled("state", status),
      cell: ({ state, since, paused }) => (
        <>
          <StateBadge state={paused === null ? state : "PAUSED"} />
          {since !== null && <span class="note">{operators.sinceTime({ time: figures.time(since) })}</span>}
          {paused !== null && <span class="note">{operators.paused({ reason: paused })}</span>}
        </>
      ),
    },
    {
      ...titled("rate", operators.rate),
      cell: ({ sent_last_second, rate, throughput }) => (
        <>
          {operators.rateOf({ sent: figures.number(sent_last_second), granted: figures.number(rate) })}
          {rate < throughput && (
            <span class="note">{operators.rateAsked({ asked: figures.number(throughput) })}</span>
          )}
        </>
      ),
    },
    {
      ...titled("window", operators.window),
      cell: ({ in_flight, window }) =>
        operators.windowOf({ used: figures.number(in_flight), all: figures.number(window) }),
    },
    {
      ...titled("people", operators.people),
      cell: ({ recipients_of_day, recipients_per_day }) =>
        recipients_per_day === null
          ? figures.number(recipients_of_day)
          : operators.windowOf({
              used: figures.number(recipients_of_day),
              all: figures.number(recipients_per_day),
            }),
    },
    {
      ...titled("error", operators.lastError),
      cell: ({ last_error }) => (last_error === null ? "–" : told(last_error)),
    },
  ];
}
