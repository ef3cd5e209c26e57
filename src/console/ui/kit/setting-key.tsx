/** Names of settings of the configuration. */
import { language } from "../state/preferences.ts";
import { appliance } from "../words/appliance.ts";
import { renderSettingName } from "../words/setting-names.ts";

/** A setting by its name, with its key in the file; by the key alone where it has no name. */
export function SettingKey({ of }: { readonly of: string }) {
  const name = settingText(of);
  if (name === "") return <>{of}</>;
  return (
    <>
      {name} <span class="note">{appliance.value.appliance.inFile({ key: of })}</span>
    </>
  );
}

/** The name of a setting; "" where it has none. */
export function settingText(key: string): string {
  return renderSettingName(language.value, key) ?? "";
}
