import { useState } from "preact/hooks";
import { ask } from "../../api/client.ts";
import type { Contract } from "../../api/contract.ts";
import { type Column, ErrorBox, Field, Section, Table } from "../../kit/kit.ts";
import { SettingKey, settingText } from "../../kit/setting-key.tsx";
import { useAnswer } from "../../state/use-answer.ts";
import { appliance } from "../../words/appliance.ts";
import { figures } from "../../words/words.ts";
import { titled } from "../traffic/parts.tsx";
import { FileChanges, valueText } from "./file-changes.tsx";

type Setting = Contract["GET /configuration"]["answer"]["settings"][number];

/** The configuration in force, what an edit of its file would change, and putting that in force. */
export function Configuration() {
  const { value, problem, reload } = useAnswer("configuration", () => ask("GET /configuration", {}));
  return (
    <>
      {problem && <ErrorBox problem={problem} onRetry={() => void reload()} />}
      {value && <FileChanges view={value} title={appliance.value.appliance.changes} onReloaded={reload} />}
      {value && <Settings settings={value.settings} />}
    </>
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
  const columns: readonly Column<Setting>[] = [
    { ...titled("key", words.key), cell: ({ path }) => <SettingKey of={path} /> },
    {
      ...titled("value", words.value),
      cell: ({ value, is_default: isDefault }) => (
        <>
          {valueText(value)}
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
        <p class="note">{figures.count(found.length - rows.length, words.byDefaults)}</p>
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
