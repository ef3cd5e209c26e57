/** Console page of the settings in force, by name and by key. */
import { useState } from "preact/hooks";
import type { Answer } from "../../api/contract.ts";
import { Button, type Columns, column, Field, Loaded, Note, Page, Table, WithNote } from "../../kit/kit.ts";
import { SettingKey, settingText } from "../../kit/setting-key.tsx";
import { useAnswer } from "../../state/use-request.ts";
import { appliance } from "../../words/appliance.ts";
import { valueText } from "./config-changes.tsx";

type Setting = Answer<"GET /configuration">["settings"][number];

export function Settings() {
  const request = useAnswer("GET /configuration");
  const { appliance: words } = appliance.value;
  return (
    <Page title={words.configuration}>
      <Loaded of={request}>{({ settings }) => <AllSettings settings={settings} />}</Loaded>
    </Page>
  );
}

/** The settings as the configuration has them, a line each, for whoever copies them. */
function raw(settings: readonly Setting[]): string {
  return settings.map(({ path, value }) => `${path} = ${JSON.stringify(value)}`).join("\n");
}

function AllSettings({ settings }: { readonly settings: readonly Setting[] }) {
  const [wanted, setWanted] = useState("");
  const [isWhole, setWhole] = useState(false);
  const { appliance: words } = appliance.value;
  const needle = wanted.trim().toLowerCase();
  const found = settings.filter(({ path, value }) =>
    `${path} ${settingText(path)} ${valueText(value)}`.toLowerCase().includes(needle),
  );
  // What is not in the file is long, and as everywhere: whoever searches finds it, or asks for it.
  const own = found.filter(({ is_default }) => !is_default);
  const rows = needle === "" && !isWhole && own.length > 0 ? own : found;
  const columns: Columns<Setting> = [
    column(words.key, ({ path }) => <SettingKey of={path} />),
    column(words.value, ({ value, is_default: isDefault }) => (
      <WithNote note={isDefault && words.byDefault}>{valueText(value)}</WithNote>
    )),
  ];
  return (
    <>
      <div class="filters">
        <Field label={words.search} name="setting" value={wanted} onValue={setWanted} />
      </div>
      <Table
        caption={words.configuration}
        columns={columns}
        rows={rows}
        keyOf={({ path }) => path}
        empty={<Note>–</Note>}
      />
      {rows.length < found.length && (
        <>
          <Note>{words.byDefaults(found.length - rows.length)}</Note>
          <Button onPress={() => setWhole(true)}>{words.showAll}</Button>
        </>
      )}
      <details>
        <summary>{words.raw}</summary>
        <pre class="file" tabIndex={-1}>
          {raw(found)}
        </pre>
      </details>
    </>
  );
}
