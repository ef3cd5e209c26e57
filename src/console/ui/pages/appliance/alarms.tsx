/**
 * Console page of alerts: those that last and what to do, rules with their silences, channels with a test, past alerts and
 * notifications.
 */
import { useEffect, useState } from "preact/hooks";
import type { StaffLive } from "../../../server/live/live-view.ts";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  AllClear,
  Button,
  type Columns,
  Confirm,
  column,
  DialogButton,
  Empty,
  Facts,
  FormDialog,
  Loaded,
  MomentField,
  Note,
  Page,
  Section,
  Table,
  TableSection,
  timeColumn,
  toOptions,
  WithNote,
} from "../../kit/kit.ts";
import { alarmDegree, byDegree, type Degree } from "../../state/degrees.ts";
import { live, useLive } from "../../state/live.ts";
import { may } from "../../state/session.ts";
import { type Action, useAction, useAnswer } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { traffic } from "../../words/traffic.ts";
import { ruleWord, troubles } from "../../words/troubles.ts";
import { figures, labelled } from "../../words/words.ts";
import { RulePlace, Troubles } from "../problems.tsx";
import { SettingsWay } from "../settings-way.tsx";
import { ruleDelay } from "./rule-delay.ts";

export type ShownAlarms = Answer<"GET /alarms">;
type Rule = ShownAlarms["rules"][number];

export function Alarms() {
  useLive();
  const request = useAnswer("GET /alarms");
  const { problem: failed, run } = useAction();
  const { alarms: words } = appliance.value;
  const now = live.value?.kind === "staff" ? live.value : null;
  // An alarm that begins or ends is seen at once.
  const firing = now?.alarms.map(({ rule, subject }) => `${rule} ${subject}`).join() ?? "";
  useEffect(() => void request.reload(), [firing]);
  const act: Action["run"] = async (asked, told) => {
    const done = await run(asked, told);
    void request.reload();
    return done;
  };
  return (
    <Page title={words.title}>
      <Loaded of={request} failed={failed}>
        {(view) => (
          <>
            <Now alarms={view.alarms} now={now} />
            <Channels channels={view.channels} act={act} />
            <Rules rules={view.rules} act={act} />
            <AlarmHistory view={view} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

type NowProps = Pick<ShownAlarms, "alarms"> & {
  /** The figures of the start page; null until they came. */
  readonly now: StaffLive | null;
};

function Now({ alarms, now }: NowProps) {
  const { alarms: words } = appliance.value;
  const ofDegree = (degree: Degree) =>
    alarms.filter(
      ({ rule, subject }) => alarmDegree({ rule, subject: subject ?? "" }, now?.connections ?? []) === degree,
    );
  return (
    <Section title={words.now}>
      {alarms.length === 0 && now?.troubles.length === 0 && <AllClear text={words.well} />}
      <AlarmList alarms={ofDegree("stops")} degree="stops" />
      <AlarmList alarms={ofDegree("wrong")} degree="wrong" />
      {now !== null && now.troubles.length > 0 && (
        <>
          <Note>{words.notYet}</Note>
          <TroubleList now={now} degree="stops" />
          <TroubleList now={now} degree="wrong" />
        </>
      )}
      {now !== null && <Note>{words.looked({ time: now.at })}</Note>}
    </Section>
  );
}

type AlarmListProps = Pick<ShownAlarms, "alarms"> & { readonly degree: Degree };

function AlarmList({ alarms, degree }: AlarmListProps) {
  const { alarms: words } = appliance.value;
  if (alarms.length === 0) return null;
  return (
    <ul class={`alarms ${degree}`}>
      {alarms.map(({ rule, subject, since, detail, action }) => (
        <li key={`${rule} ${subject}`}>
          <p class="alarm-title">{detail === null ? ruleWord(rule) : detail}</p>
          {action !== null && (
            <p>
              <strong>{words.todo}</strong> {troubles.value.advice[rule] ?? action}
            </p>
          )}
          <RulePlace rule={rule} subject={subject ?? ""} />
          <Note>
            {ruleWord(rule)} · {words.since({ time: since })}
          </Note>
        </li>
      ))}
    </ul>
  );
}

type TroubleListProps = { readonly now: StaffLive; readonly degree: Degree };

function TroubleList({ now, degree }: TroubleListProps) {
  const { troubles: found } = byDegree(now, degree);
  if (found.length === 0) return null;
  return (
    <ul class={`alarms ${degree}`}>
      <Troubles now={{ troubles: found, names: now.names }} />
    </ul>
  );
}

type ChannelsProps = {
  readonly channels: ShownAlarms["channels"];
  readonly act: Action["run"];
};

/** Example of the configuration of the channels of alarms. */
const CHANNELS_EXAMPLE = `[alerts]
sms = ["+22670000000"]
email = ["astreinte@example.bf"]`;

function Channels({ channels, act }: ChannelsProps) {
  const [tried, setTried] = useState<readonly Trial[] | null>(null);
  const { alarms: words } = appliance.value;
  const test = async (): Promise<void> => {
    const answer = await act(callApi("POST /alarms/test"), words.tried);
    setTried(answer?.channels ?? null);
  };
  return (
    <Section
      title={words.channels}
      aside={
        channels.length > 0 &&
        may("alarms.change") && (
          <DialogButton verb={words.test}>
            {(close) => (
              <Confirm title={words.testTitle} verb={words.test} onConfirm={test} onClose={close}>
                <p>{words.testText}</p>
              </Confirm>
            )}
          </DialogButton>
        )
      }
    >
      {channels.length === 0 ? (
        <Empty title={words.noChannels}>
          <p>{words.noChannelsHelp}</p>
          <pre class="file" tabIndex={-1}>
            {CHANNELS_EXAMPLE}
          </pre>
          <p>{words.noChannelsThen}</p>
          <SettingsWay />
        </Empty>
      ) : (
        <Facts
          rows={channels.map(({ channel, to }) => [
            words.channelNames[channel],
            to.map(figures.phone).join(", "),
          ])}
        />
      )}
      {tried !== null && <Tried trials={tried} />}
    </Section>
  );
}

type Trial = Answer<"POST /alarms/test">["channels"][number];

/** Results of test messages, until the page is left: a wrong number is seen here. */
function Tried({ trials }: { readonly trials: readonly Trial[] }) {
  const { alarms: words } = appliance.value;
  return (
    <ul aria-label={words.tried}>
      {trials.map(({ channel, recipient, delivered, outcome }) => (
        <li key={`${channel} ${recipient}`} class={delivered ? "notice calm" : "notice"}>
          {labelled(
            [words.channelNames[channel], figures.phone(recipient ?? "")].filter(Boolean).join(" · "),
            delivered ? words.testTaken : outcome,
          )}
        </li>
      ))}
    </ul>
  );
}

type RulesProps = { readonly rules: readonly Rule[]; readonly act: Action["run"] };

function Rules({ rules, act }: RulesProps) {
  const [silencing, setSilencing] = useState<Rule | null>(null);
  const { alarms: words } = appliance.value;
  const columns: Columns<Rule> = [
    column(words.rule, ({ rule }) => ruleWord(rule)),
    column(words.told, ({ is_enabled, silenced_until, limits }) =>
      !is_enabled
        ? words.off
        : silenced_until === null
          ? (ruleDelay(limits, words.delays) ?? words.toldAs)
          : words.silent({ time: silenced_until }),
    ),
    may("alarms.change") &&
      column(
        traffic.value.operators.actions,
        (row) =>
          row.is_enabled && (
            <Button
              kind="quiet"
              label={`${words.silence} ${ruleWord(row.rule)}`}
              onPress={() => setSilencing(row)}
            >
              {words.silence}
            </Button>
          ),
      ),
  ];
  return (
    <Section title={words.rules}>
      <Note>{words.delaysHelp}</Note>
      <Table caption={words.rules} columns={columns} rows={rules} keyOf={({ rule }) => rule} />
      {silencing && <Silence of={silencing} act={act} onClose={() => setSilencing(null)} />}
    </Section>
  );
}

type SilenceProps = {
  readonly of: Rule;
  readonly act: Action["run"];
  readonly onClose: () => void;
};

/** How long a rule is usually silenced. */
const SILENCES = ["1h", "2h", "3h", "8h", "1d", "7d"] as const;
/** A time that is past ends a silence. */
const AT_ONCE = "0m";

function Silence({ of: { rule, silenced_until: silenced }, act, onClose }: SilenceProps) {
  const [until, setUntil] = useState("2h");
  const { alarms: words } = appliance.value;
  const ending = silenced === null ? [] : [{ value: AT_ONCE, label: words.silenceEnds }];
  const submit = async (): Promise<void> => {
    await act(callApi("POST /alarms/silence", { body: { rule, until: until.trim() } }), words.done);
    onClose();
  };
  return (
    <FormDialog
      title={words.silenceTitle({ rule: ruleWord(rule) })}
      verb={words.silence}
      onSubmit={submit}
      onClose={onClose}
    >
      <MomentField
        label={words.until}
        name="until"
        usual={[...toOptions(SILENCES, (each) => words.untilChoices[each]), ...ending]}
        value={until}
        onValue={setUntil}
      />
    </FormDialog>
  );
}

type Delivery = ShownAlarms["deliveries"][number];
type Past = ShownAlarms["history"][number];

function named(rule: string, subject: string | null): string {
  return [ruleWord(rule), subject].filter(Boolean).join(" · ");
}

/** What a notification was about; of a test, which is no alarm, who requested it. */
function Whereof({ rule, subject, by }: Delivery) {
  const { alarms: words } = appliance.value;
  if (by === null) return <>{named(rule, subject)}</>;
  return <WithNote note={words.askedBy({ who: by })}>{words.trial}</WithNote>;
}

/** Past notifications and past alarms. */
function AlarmHistory({ view }: { readonly view: ShownAlarms }) {
  const { alarms: words } = appliance.value;
  const told: Columns<Delivery> = [
    timeColumn(words.at, ({ at }) => at),
    column(words.rule, (row) => <Whereof {...row} />),
    column(words.recipient, ({ channel, recipient }) =>
      [words.channelNames[channel], recipient].filter(Boolean).join(" · "),
    ),
    column(words.result, ({ outcome, error }) => (
      <WithNote note={error}>{words.outcomes[outcome] ?? outcome}</WithNote>
    )),
  ];
  const past: Columns<Past> = [
    timeColumn(words.at, ({ since }) => since),
    column(words.what, ({ rule, subject, detail }) => (
      <WithNote note={named(rule, subject)}>{detail}</WithNote>
    )),
    column(words.ended, (row) => (row.ended_at === null ? words.lasts : figures.time(row.ended_at))),
  ];
  return (
    <>
      <TableSection
        title={words.deliveries}
        columns={told}
        rows={view.deliveries.map((one, place) => ({ ...one, place: String(place) }))}
        keyOf={(one) => `${one.at} ${one.rule} ${one.channel} ${one.recipient} ${one.state}`}
        empty={<Note>{words.noDeliveries}</Note>}
      />
      <TableSection
        title={words.history}
        columns={past}
        rows={view.history}
        keyOf={({ rule, subject, since }) => `${rule} ${subject} ${since}`}
        empty={<Note>{words.noHistory}</Note>}
      />
    </>
  );
}
