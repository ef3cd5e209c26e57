/** Console page of the appliance's state: health checks, disk, certificates, clock, and the configuration in force. */
import { type Phrase, paramsIn, phrase } from "../../../../i18n/phrase.ts";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  Alert,
  AllClear,
  Badge,
  type Columns,
  Confirm,
  column,
  DialogButton,
  ErrorBox,
  Facts,
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
import { HOME } from "../../state/router.ts";
import { may } from "../../state/session.ts";
import { useAction, useAnswer } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { checkWord, ruleWord, troubles } from "../../words/troubles.ts";
import { figures, labelled, saying, told } from "../../words/words.ts";
import { CheckPlace } from "../problems.tsx";
import { FileChanges } from "./config-changes.tsx";

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
            {view.health && <Checks checks={view.health.checks} />}
            <Figures view={view} />
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

/** Which version runs since when, what the disk holds, and when it is full. */
function Figures({ view }: { readonly view: ShownAppliance }) {
  const { appliance: words } = appliance.value;
  const { storage } = view;
  const { bytes_a_day: growth, full_at: full } = storage;
  const outlook = growth === null ? words.unknown : full === null ? words.never : words.full({ time: full });
  return (
    <Section title={words.storage}>
      <Stats>
        <Stat
          label={words.disk}
          value={figures.bytes(storage.disk_free_bytes)}
          note={storage.disk_bytes === null ? null : words.of({ all: figures.bytes(storage.disk_bytes) })}
        />
        <Stat
          label={words.database}
          value={figures.bytes(storage.bytes)}
          note={growth === null ? null : words.growth({ bytes: figures.bytes(growth) })}
        />
      </Stats>
      <p>{outlook}</p>
      <Facts
        rows={[
          [words.version, view.version.split(" ")[1] ?? view.version],
          view.started_at !== null && [words.started, figures.time(view.started_at)],
          [words.log, figures.bytes(storage.log_bytes)],
          [words.reserve, figures.bytes(storage.reserve_bytes)],
        ]}
      />
    </Section>
  );
}

/** The tone of each standing; the colour only repeats the word. */
const TONES = { ok: "good", degraded: "wait", down: "bad", paused: "wait", not_yet: "idle" } as const;

/** In one line how many checks are well; those that are not in full, and all of them for whoever wants to read on. */
function Checks({ checks }: { readonly checks: readonly Check[] }) {
  const { appliance: words } = appliance.value;
  const bad = checks.filter(({ standing }) => standing !== "ok" && standing !== "not_yet");
  return (
    <Section title={words.checks}>
      {bad.length === 0 ? (
        <AllClear text={words.checksGood(checks.length)} />
      ) : (
        <CheckTable checks={bad} caption={words.checks} />
      )}
      <details class="more">
        <summary>{words.allChecks(checks.length)}</summary>
        <CheckTable checks={checks} caption={words.allChecks(checks.length)} />
      </details>
    </Section>
  );
}

function CheckTable({ checks, caption }: { readonly checks: readonly Check[]; readonly caption: string }) {
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
  return <Table caption={caption} columns={columns} rows={checks} keyOf={({ name }) => name} />;
}

/** Whether to show since when it stands so: what was never done, and the daily copy, say it in their finding. */
function tellsSince(check: string, standing: Check["standing"]): boolean {
  return standing !== "not_yet" && !(check === "backup" && standing === "ok");
}

/** A phrase with the rules of alarms as people call them. */
function withRules(found: Phrase): Phrase {
  const firing = paramsIn(found, "health.alarms.firing");
  if (firing !== null) return phrase("health.alarms.firing", { alarms: firing.alarms.map(withRules) });
  const { rule, subject } = found.params ?? {};
  if (!found.code.startsWith("health.alarm") || typeof rule !== "string") return found;
  const named = typeof subject === "string" ? labelled(ruleWord(rule), subject) : ruleWord(rule);
  return phrase(found.code.endsWith(".silenced") ? "health.alarm.silenced" : "health.alarm", { rule: named });
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

/** What an edit of the configuration's file would change, putting that in force, and the way to all settings. */
function Configuration() {
  const request = useAnswer("GET /configuration");
  const { appliance: words } = appliance.value;
  return (
    <Loaded of={request}>
      {(view) => (
        <>
          <FileChanges view={view} title={words.changes} onReloaded={request.reload} />
          <Section title={words.configuration}>
            <p>
              {words.settingsInForce(view.settings.length, {
                own: view.settings.filter(({ is_default }) => !is_default).length,
              })}{" "}
              <a href={`${HOME}/state/settings`}>{words.seeSettings}</a>
            </p>
          </Section>
        </>
      )}
    </Loaded>
  );
}
