/** Shows what an edited configuration file would change in the running appliance, or its faults by line, and reloads it. */

import type { ComponentChildren } from "preact";
import { callApi } from "../../api/client.ts";
import type { Answer } from "../../api/contract.ts";
import {
  type Columns,
  Confirm,
  column,
  DialogButton,
  ErrorBox,
  Section,
  Table,
  WithNote,
} from "../../kit/kit.ts";
import { SettingKey } from "../../kit/setting-key.tsx";
import { may } from "../../state/session.ts";
import { useAction } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { labelled } from "../../words/words.ts";

type View = Answer<"GET /configuration">;
type Change = View["changes"][number];

type FileChangesProps = {
  readonly view: View;
  readonly title: string;
  readonly aside?: ComponentChildren;
  /** What is said of it first. */
  readonly children?: ComponentChildren;
  /** Whether the faults are explained already: then the details are collapsed. */
  readonly isExplained?: boolean;
  /** Called after a reload was tried. */
  readonly onReloaded: (isInForce: boolean) => Promise<void>;
};

export function FileChanges({
  view,
  title,
  aside,
  children,
  isExplained = false,
  onReloaded,
}: FileChangesProps) {
  const { problem, run } = useAction();
  const { appliance: words } = appliance.value;
  const { changes, faults } = view;
  const count = (effect: Change["effect"]): number => changes.filter((one) => one.effect === effect).length;
  const put = async (): Promise<void> => {
    const done = await run(callApi("POST /configuration/reload"), words.done);
    await onReloaded(done !== null);
  };
  const mayReload = changes.length > 0 && may("appliance.change");
  return (
    <Section
      title={title}
      aside={
        <div class="tools">
          {aside}
          {mayReload && (
            <DialogButton verb={words.reload}>
              {(close) => (
                <Confirm title={words.reloadTitle} verb={words.reload} onConfirm={put} onClose={close}>
                  <p>{words.reloadNow(count("now"))}</p>
                  {count("restart") > 0 && <p>{words.reloadRestart(count("restart"))}</p>}
                </Confirm>
              )}
            </DialogButton>
          )}
        </div>
      }
    >
      {children}
      <ErrorBox problem={problem} />
      {faults.length > 0 && <FileFaults title={words.faults} faults={faults} isFolded={isExplained} />}
      {faults.length === 0 && changes.length === 0 && <p class="note">{words.noChanges}</p>}
      {changes.length > 0 && (
        <Table
          caption={title}
          columns={changeColumns()}
          rows={changes}
          keyOf={({ path, change }) => `${path} ${change}`}
        />
      )}
    </Section>
  );
}

export function changeColumns(): Columns<Change> {
  const { appliance: words } = appliance.value;
  return [
    column(words.key, ({ path }) => <SettingKey of={path} />),
    column(words.value, (row) => <Difference {...row} />),
    column(words.consequence, ({ consequence, effect, because }) => (
      <WithNote note={effect === "now" ? words.now : (because ?? words.restart)}>{consequence}</WithNote>
    )),
  ];
}

/** The old and the new value; of additions what was typed, and the rest collapsed. */
function Difference({ from, to, entries }: Change) {
  const { appliance: words } = appliance.value;
  if (entries.length === 0 && !isTable(from)) return <>{`${valueText(from)} → ${valueText(to)}`}</>;
  if (entries.length === 0)
    return (
      <details>
        <summary>{words.goneSettings}</summary>
        {valueText(from)}
      </details>
    );
  const [typed, usual] = [false, true].map((wanted) =>
    entries.filter((entry) => entry.is_default === wanted),
  );
  return (
    <>
      <Entries entries={typed ?? []} />
      {usual && usual.length > 0 && (
        <details>
          <summary>{words.usualSettings(usual.length)}</summary>
          <Entries entries={usual} />
        </details>
      )}
    </>
  );
}

function Entries({ entries }: Pick<Change, "entries">) {
  return (
    <dl class="entries">
      {entries.map(({ key, value }) => (
        <div key={key}>
          <dt>
            <SettingKey of={key} />
          </dt>
          <dd>{valueText(value)}</dd>
        </div>
      ))}
    </dl>
  );
}

function isTable(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What stands in the place of a secret. */
const HIDDEN = "(hidden)";

/** A value as people read it: yes and no, lists with commas. */
export function valueText(value: unknown): string {
  const { appliance: words } = appliance.value;
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return appliance.value.audit.truth[`${value}`];
  if (Array.isArray(value)) return value.length === 0 ? words.emptyList : value.map(valueText).join(", ");
  if (value === HIDDEN) return words.hidden;
  if (typeof value !== "object") return String(value);
  const inner = Object.entries(value).map(([name, one]) => `${name}: ${valueText(one)}`);
  return inner.length === 0 ? words.emptyList : inner.join(", ");
}

type FaultsProps = {
  readonly title: string;
  readonly faults: Answer<"GET /configuration">["faults"];
  readonly isFolded?: boolean;
};

/** What is wrong with the configuration file, each with the line that it is about. */
export function FileFaults({ title, faults, isFolded = false }: FaultsProps) {
  const list = (
    <ul>
      {faults.map(({ text, key, line }) => (
        <li key={`${key} ${text}`}>
          {key !== null && (
            <>
              <SettingKey of={key} />
              {labelled("", "")}
            </>
          )}
          {text}
          {line !== null && <code class="command">{line}</code>}
        </li>
      ))}
    </ul>
  );
  return (
    <div class="error" role="status">
      <p class="error-title">{title}</p>
      {isFolded ? (
        <details>
          <summary>{appliance.value.audit.detail}</summary>
          {list}
        </details>
      ) : (
        list
      )}
    </div>
  );
}
