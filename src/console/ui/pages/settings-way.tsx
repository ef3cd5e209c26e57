/** The way to the page that writes what somebody is told to put into the file by hand. */
import { HOME } from "../state/router.ts";
import { may } from "../state/session.ts";
import { places } from "../words/places.ts";

/** Nothing for those who may not write it. */
export function SettingsWay() {
  if (!may("settings.change")) return null;
  return (
    <p>
      <a href={`${HOME}/settings`}>{places.value.settingsWay}</a>
    </p>
  );
}
