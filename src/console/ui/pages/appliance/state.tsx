/** Console page of the appliance's state: health checks, disk, certificates, clock, and the configuration in force. */
import { useState } from "preact/hooks";
import { type Phrase, paramsIn, phrase } from "../../../../i18n/phrase.ts";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Alert,
  Badge,
  type Columns,
  Confirm,
  column,
  DialogButton,
  ErrorBox,
  Facts,
  Field,
  Loaded,
  Note,
  Page,
  Section,
  Stat,
  Stats,
  Table,
  TableSection,
  Term,
  WithNote,
} from "../../kit/kit.ts";
import { SettingKey, settingText } from "../../kit/setting-key.tsx";
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { checkWord, ruleWord, troubles } from "../../words/troubles.ts";
import { figures, saying, told } from "../../words/words.ts";
import { CheckPlace } from "../problems.tsx";
import { FileChanges, valueText } from "./config-changes.tsx";

export type ShownAppliance = Answer<"GET /appliance">;
type Check = NonNullable<ShownAppliance["health"]>["checks"][number];
type Certificate = ShownAppliance["certificates"][number];

export function State() {
  const request = useAnswer("GET /appliance");
  return (
    <Page title={appliance.value.appliance.title}>
      <Loaded of={request}>
        {(view) => (
          <>
            <AllPaused paused={view.paused} />
            <Figures view={view} />
            {view.health && <Checks checks={view.health.checks} />}
            <Sizes storage={view.storage} />
            <Certificates certificates={view.certificates} />
            <Clock view={view} onDone={request.reload} />
          </>
        )}
      </Loaded>
      <Configuration />
    </Page>
  );
}

/** Nothing may leave because of a pause: who, since when, why, and how to end it. */
function AllPaused({ paused }: Pick<ShownAppliance, "paused">) {
  const { appliance: words } = appliance.value;
  if (paused.length === 0) return null;
  return (
    <div class="error" role="status">
      <p class="error-title">{words.allPaused}</p>
      <ul>
        {paused.map(({ name, since, by, reason }) => (
          <li key={name}>{words.pausedLine({ name, since, by, reason })}</li>
        ))}
      </ul>
      {may("operators.change") && (
        <p>
          <a href={`${HOME}/operators`}>{words.resume}</a>
        </p>
      )}
    </div>
  );
}

function Figures({ view }: { readonly view: ShownAppliance }) {
  const { appliance: words } = appliance.value;
  const { storage } = view;
  return (
    <Stats>
      <Stat
        label={words.version}
        value={view.version.split(" ")[1] ?? view.version}
        note={view.started_at === null ? view.version : words.running({ time: view.started_at })}
      />
      <Stat
        label={words.disk}
        value={figures.bytes(storage.disk_free_bytes)}
        note={storage.disk_bytes === null ? null : words.of({ all: figures.bytes(storage.disk_bytes) })}
      />
      <Stat
        label={words.database}
        value={figures.bytes(storage.bytes)}
        note={
          storage.bytes_a_day === null ? null : words.growth({ bytes: figures.bytes(storage.bytes_a_day) })
        }
      />
    </Stats>
  );
}

/** The tone of each standing; the colour only repeats the word. */
const TONES = { ok: "good", degraded: "wait", down: "bad", paused: "wait", not_yet: "idle" } as const;

function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const { appliance: words, alarms } = appliance.value;
  const columns: Columns<Check> = [
    column(words.check, ({ name }) =>
      name === "books" ? <Term of="books">{checkWord(name)}</Term> : checkWord(name),
    ),
    column(words.state, ({ name, standing, since }) => (
      <>
        <Badge tone={TONES[standing]}>{words.checkStates[standing]}</Badge>
        {tellsSince(name, standing) && <span class="note whole">{alarms.since({ time: since })}</span>}
      </>
    )),
    column(words.detail, ({ name, status, detail, action }) => (
      <>
        {saying(withRules(detail))}
        {action !== null && (
          <span class="note">
            {alarms.todo} {troubles.value.checkAdvice[name] ?? told(action)}
          </span>
        )}
        {status !== "ok" && <CheckPlace check={name} />}
      </>
    )),
  ];
  return <TableSection title={words.checks} columns={columns} rows={checks} keyOf={({ name }) => name} />;
}

/** Whether to show since when it stands so: what was never done, and the daily copy, say it in their finding. */
function tellsSince(check: string, standing: Check["standing"]): boolean {
  return standing !== "not_yet" && !(check === "backup" && standing === "ok");
}

/** A phrase with the rules of alarms as people call them. */
function withRules(found: Phrase): Phrase {
  const firing = paramsIn(found, "health.alarms.firing");
  if (firing !== null) return phrase("health.alarms.firing", { alarms: firing.alarms.map(withRules) });
  const rule = found.params?.rule;
  if (!found.code.startsWith("health.alarm") || typeof rule !== "string") return found;
  return { code: found.code, params: { ...found.params, rule: ruleWord(rule) } };
}

function Certificates({ certificates }: { readonly certificates: readonly Certificate[] }) {
  const { appliance: words } = appliance.value;
  const columns: Columns<Certificate> = [
    column(words.file, ({ key, path }) => <WithNote note={path}>{key}</WithNote>),
    column(words.ends, ({ ends_at, days_left }) => (
      <WithNote note={days_left !== null && words.days(days_left)}>
        {ends_at === null ? words.unreadable : figures.time(ends_at)}
      </WithNote>
    )),
  ];
  return (
    <TableSection
      title={words.certificates}
      columns={columns}
      rows={certificates}
      keyOf={({ key, path }) => `${key} ${path}`}
      empty={<Note>{words.noCertificates}</Note>}
    />
  );
}

function Clock({
  view: { clock },
  onDone,
}: {
  readonly view: ShownAppliance;
  readonly onDone: () => unknown;
}) {
  const { problem, run } = useAction();
  const { appliance: words } = appliance.value;
  const accept = async (): Promise<void> => {
    await run(callApi("POST /clock/accept"), words.done);
    onDone();
  };
  return (
    <Section title={words.clock}>
      <ErrorBox problem={problem} />
      <Facts rows={[[words.believed, `${figures.time(clock.believed_at)} (${clock.timezone})`]]} />
      {clock.doubt !== null && (
        <Alert title={words.doubt}>
          <p>{saying(clock.doubt)}</p>
          {may("appliance.change") && (
            <DialogButton verb={words.accept}>
              {(close) => (
                <Confirm title={words.acceptTitle} verb={words.accept} onConfirm={accept} onClose={close}>
                  <p>{words.acceptText({ time: clock.machine_at })}</p>
                </Confirm>
              )}
            </DialogButton>
          )}
        </Alert>
      )}
    </Section>
  );
}

/** What the disk holds, and when it is full. */
function Sizes({ storage }: Pick<ShownAppliance, "storage">) {
  const { appliance: words } = appliance.value;
  const { bytes_a_day: growth, full_at: full } = storage;
  const outlook = growth === null ? words.unknown : full === null ? words.never : words.full({ time: full });
  return (
    <Section title={words.storage}>
      <Facts
        rows={[
          [words.database, figures.bytes(storage.bytes)],
          [words.log, figures.bytes(storage.log_bytes)],
          [words.disk, figures.bytes(storage.disk_free_bytes)],
          [words.reserve, figures.bytes(storage.reserve_bytes)],
        ]}
      />
      <p>{outlook}</p>
    </Section>
  );
}

type Setting = Answer<"GET /configuration">["settings"][number];

/** The configuration in force, what an edit of its file would change, and putting that in force. */
function Configuration() {
  const request = useAnswer("GET /configuration");
  return (
    <Loaded of={request}>
      {(view) => (
        <>
          <FileChanges view={view} title={appliance.value.appliance.changes} onReloaded={request.reload} />
          <Settings settings={view.settings} />
        </>
      )}
    </Loaded>
  );
}

/** The settings as the configuration has them, a line each, for whoever copies them. */
function raw(settings: readonly Setting[]): string {
  return settings.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join("\n");
}

function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  const [wanted, setWanted] = useState("");
  const { appliance: words } = appliance.value;
  const needle = wanted.trim().toLowerCase();
  const found = settings.filter(({ path, value }) =>
    `${path} ${settingText(path)} ${valueText(value)}`.toLowerCase().includes(needle),
  );
  // What is not in the file is long, and as everywhere: whoever searches finds it.
  const rows = needle === "" ? found.filter(({ is_default }) => !is_default) : found;
  const columns: Columns<Setting> = [
    column(words.key, ({ path }) => <SettingKey of={path} />),
    column(words.value, ({ value, is_default: isDefault }) => (
      <WithNote note={isDefault && words.byDefault}>{valueText(value)}</WithNote>
    )),
  ];
  return (
    <Section title={words.configuration}>
      <Field label={words.search} name="setting" value={wanted} onValue={setWanted} />
      {rows.length < found.length && <Note>{words.byDefaults(found.length - rows.length)}</Note>}
      <Table
        caption={words.configuration}
        columns={columns}
        rows={rows}
        keyOf={({ path }) => path}
        empty={<Note>–</Note>}
      />
      <details>
        <summary>{words.raw}</summary>
        <pre class="file" tabIndex={-1}>
          {raw(found)}
        </pre>
      </details>
    </Section>
  );
}
