/** Console page of backups: lists them with what was verified, makes one, verifies one, restores one as a test. */
import { useEffect, useState } from "preact/hooks";
import { type ApiAnswer, callApi, type Problem } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import { every } from "../../browser.ts";
import {
  Button,
  type Columns,
  column,
  Empty,
  ErrorBox,
  Facts,
  Note,
  numberColumn,
  Page,
  Section,
  TableSection,
  timeColumn,
  WithNote,
} from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { figures } from "../../words/words.ts";

type View = Answer<"GET /backups">;
type Row = View["backups"][number];
type Work = NonNullable<View["work"]>;

const LOOK_MS = 1000;

export function Backups() {
  const { value, problem, reload } = useAnswer("GET /backups");
  const [failed, setFailed] = useState<Problem | null>(null);
  const { backups: words } = appliance.value;
  const isUnderWay = value?.work != null && value.work.ended_at === null;
  const [isAsking, setAsking] = useState(false);
  /** Work already under way is shown, and is no failure: a button may be pressed twice. */
  const begin = async (asked: () => Promise<ApiAnswer<unknown>>): Promise<void> => {
    if (isAsking) return;
    setAsking(true);
    const answer = await asked();
    await reload();
    setFailed(answer.ok || answer.problem.code === "NOT_NOW" ? null : answer.problem);
    setAsking(false);
  };
  const mayAct = may("backups.change") && !isUnderWay;
  const shown = failed ?? problem;
  return (
    <Page
      title={words.title}
      aside={
        mayAct && (
          <Button busy={isAsking} onPress={() => void begin(() => callApi("POST /backups"))}>
            {words.make}
          </Button>
        )
      }
    >
      <ErrorBox problem={shown} onRetry={reload} />
      {value?.work && <Going first={value.work} onDone={() => void reload()} />}
      {value && (
        <>
          <Standing view={value} />
          <TableSection
            title={words.list}
            aside={
              mayAct &&
              value.backups.length > 0 && (
                <Button busy={isAsking} onPress={() => void begin(() => callApi("POST /backups/drill"))}>
                  {words.tryOne}
                </Button>
              )
            }
            columns={columnsOf(
              mayAct,
              (file) => void begin(() => callApi("POST /backups/verify", { body: { file } })),
            )}
            rows={value.backups}
            keyOf={({ file }) => file}
            empty={<Empty title={words.none}>{words.noneHelp}</Empty>}
          >
            {mayAct && value.backups.length > 0 && <Note>{words.tryNote}</Note>}
          </TableSection>
        </>
      )}
    </Page>
  );
}

/** Keys that no backup holds are lost with the machine: what to write so that they are backed up. */
function NoKeys() {
  const { backups: words } = appliance.value;
  return (
    <div class="error" role="note">
      <p class="error-title">{words.noKeys}</p>
      <p>{words.noKeysTodo}</p>
      <pre class="file" tabIndex={-1}>
        {KEYS_EXAMPLE}
      </pre>
    </div>
  );
}

const KEYS_EXAMPLE = `[backup]
include_keys = true
passphrase = "\${BACKUP_PASSPHRASE}"`;

function Standing({ view }: { readonly view: View }) {
  const { backups: words } = appliance.value;
  const { copies, plan, last_drill: drill } = view;
  return (
    <>
      <p>{words.plan({ at: plan.at, keep: plan.keep, zone: plan.timezone })}</p>
      <Facts
        rows={[
          [
            words.drill,
            drill === null
              ? words.noDrill
              : (drill.failure ?? `${words.drilled({ file: drill.file })} ${figures.time(drill.at)}`),
          ],
          [
            words.copies,
            copies === null
              ? words.noCopies
              : words.copied({
                  files: words.files(copies.files),
                  time: copies.newest_at,
                }),
          ],
          ...(view.has_keys ? [[words.keys, words.hasKeys] as const] : []),
        ]}
      />
      {!view.has_keys && <NoKeys />}
    </>
  );
}

/** The title of work under way, done, or failed. */
function goingTitle({ kind, ended_at: endedAt, failure }: Work): string {
  const { backups: words } = appliance.value;
  const of = endedAt === null ? words.works : failure === null ? words.worksDone : words.worksFailed;
  return of[kind] ?? kind;
}

/** Work under way, polled once a second until it is done. */
function Going({ first, onDone }: { readonly first: Work; readonly onDone: () => void }) {
  const [work, setWork] = useState(first);
  const { backups: words } = appliance.value;
  const isOver = work.ended_at !== null;
  useEffect(() => {
    setWork(first);
  }, [first]);
  useEffect(() => {
    if (isOver) return undefined;
    return every(LOOK_MS, () => {
      void callApi("GET /backups/work").then((answer) => {
        if (!answer.ok || answer.value.work === null) return;
        setWork(answer.value.work);
        if (answer.value.work.ended_at !== null) onDone();
      });
    });
  }, [isOver]);
  const { total_bytes: total, bytes } = work;
  return (
    <Section title={goingTitle(work)}>
      {work.subject !== "" && <Note>{work.subject}</Note>}
      {!isOver && (
        <>
          <progress
            aria-label={words.works[work.kind] ?? work.kind}
            {...(total === null ? {} : { max: total, value: bytes ?? 0 })}
          />
          <Note>{words.leave}</Note>
        </>
      )}
      {work.failure !== null && (
        <p class="error" role="alert">
          {work.failure}
        </p>
      )}
      {isOver && work.failure === null && <p role="status">{words.done({ time: work.ended_at })}</p>}
    </Section>
  );
}

function columnsOf(mayAct: boolean, onVerify: (file: string) => void): Columns<Row> {
  const { backups: words } = appliance.value;
  return [
    column(words.file, ({ file, version }) => <WithNote note={version}>{file}</WithNote>),
    timeColumn(words.made, (row) => row.made_at),
    numberColumn(words.size, (row) => figures.bytes(row.bytes)),
    column(words.proved, (row) => (
      <WithNote note={row.is_copied ? words.isCopied : words.notCopied}>
        {row.failure ?? (row.verified_at === null ? words.notProved : figures.time(row.verified_at))}
      </WithNote>
    )),
    mayAct &&
      column(words.verify, ({ file }) => (
        <Button kind="quiet" label={`${words.verify} ${file}`} onPress={() => onVerify(file)}>
          {words.verify}
        </Button>
      )),
  ];
}
