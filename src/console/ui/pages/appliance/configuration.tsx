import { useState } from "preact/hooks";
import { ask, type Problem } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { Button, type Column, Confirm, ErrorBox, Field, Section, say, Table } from "../../kit/kit.ts";
import { may } from "../../state/session.ts";
import { useAnswer } from "../../state/use-answer.ts";
import { appliance } from "../../words/appliance.ts";
import { figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";

type View = Contract["GET /configuration"]["answer"];
type Setting = View["settings"][number];
type Change = View["changes"][number];

/** The configuration in force, what an edit of its file would change, and putting that in force. */
export function Configuration() {
  const { value, problem, reload } = useAnswer("configuration", () => ask("GET /configuration", {}));
  const [failed, setFailed] = useState<Problem | null>(null);
  const [isAsking, setAsking] = useState(false);
  const { appliance: words } = appliance.value;
  const count = (effect: Change["effect"]): string =>
    figures.number(value?.changes.filter((one) => one.effect === effect).length ?? 0);
  const put = async (): Promise<void> => {
    const answer = await ask("POST /configuration/reload", {});
    setFailed(answer.ok ? null : answer.problem);
    if (answer.ok) say(words.done);
    await reload();
  };
  const shown = failed ?? problem;
  const hasChanges = value !== null && value.changes.length > 0;
  return (
    <>
      {shown && <ErrorBox problem={shown} onRetry={() => void reload()} />}
      {value && (
        <Section
          title={words.changes}
          aside={
            hasChanges &&
            may("appliance.change") && <Button onPress={() => setAsking(true)}>{words.reload}</Button>
          }
        >
          {value.faults.length > 0 && <Faults faults={value.faults} />}
          {value.faults.length === 0 && !hasChanges && <p class="note">{words.noChanges}</p>}
          {hasChanges && (
            <Table
              caption={words.changes}
              columns={changeColumns()}
              rows={value.changes}
              keyOf={({ path, change }) => `${path} ${change}`}
              empty={null}
            />
          )}
        </Section>
      )}
      {value && <Settings settings={value.settings} />}
      {isAsking && (
        <Confirm
          title={words.reloadTitle}
          verb={words.reload}
          onConfirm={put}
          onClose={() => setAsking(false)}
        >
          <p>{words.reloadText(count("now"), count("restart"))}</p>
        </Confirm>
      )}
    </>
  );
}

function Faults({ faults }: { readonly faults: readonly string[] }) {
  return (
    <div class="error" role="status">
      <p class="error-title">{appliance.value.appliance.faults}</p>
      <ul>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}

function changeColumns(): readonly Column<Change>[] {
  const { appliance: words } = appliance.value;
  return [
    { ...titled("key", words.key), cell: ({ path }) => path },
    { ...titled("value", words.value), cell: ({ from, to }) => `${text(from)} → ${text(to)}` },
    {
      ...titled("consequence", words.consequence),
      cell: ({ consequence, effect, because }) => (
        <>
          {consequence}
          <span class="note">{effect === "now" ? words.now : (because ?? words.restart)}</span>
        </>
      ),
    },
  ];
}

/** A value as people read it: yes and no, lists with commas. */
function text(value: unknown): string {
  const { appliance: words } = appliance.value;
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return appliance.value.audit.truth[`${value}`];
  if (Array.isArray(value)) return value.length === 0 ? words.emptyList : value.map(text).join(", ");
  if (typeof value !== "object") return String(value);
  const inner = Object.entries(value).map(([name, one]) => `${name}: ${text(one)}`);
  return inner.length === 0 ? words.emptyList : inner.join(", ");
}

/** The settings as the configuration has them, a line each, for whoever copies them. */
function raw(settings: readonly Setting[]): string {
  return settings.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join("\n");
}

function Settings({ settings }: { readonly settings: readonly Setting[] }) {
  const [wanted, setWanted] = useState("");
  const { appliance: words } = appliance.value;
  const needle = wanted.trim().toLowerCase();
  const found = settings.filter(({ path, value }) => `${path} ${text(value)}`.toLowerCase().includes(needle));
  // What is not in the file is long, and as everywhere: whoever searches finds it.
  const rows = needle === "" ? found.filter(({ is_default }) => !is_default) : found;
  const columns: readonly Column<Setting>[] = [
    { ...titled("key", words.key), cell: ({ path }) => path },
    {
      ...titled("value", words.value),
      cell: ({ value, is_default: isDefault }) => (
        <>
          {text(value)}
          {isDefault && <span class="note">{words.byDefault}</span>}
        </>
      ),
    },
  ];
  return (
    <Section title={words.configuration}>
      <Field
        label={words.search}
        name="setting"
        value={wanted}
        onValue={setWanted}
        input={{ autocomplete: "off" }}
      />
      {rows.length < found.length && (
        <p class="note">{words.byDefaults(figures.number(found.length - rows.length))}</p>
      )}
      <Table
        caption={words.configuration}
        columns={columns}
        rows={rows}
        keyOf={({ path }) => path}
        empty={<p class="note">–</p>}
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
