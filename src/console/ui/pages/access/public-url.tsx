import { SettingsWay } from "../settings-way.tsx";

/** Stands in for an address that others cannot open. */
const EXAMPLE_HOST = "sms.example.bf";
/** A host that only this machine reaches, or that is no name. */
const NO_NAME = /^(localhost|[\d.]+|\[.*\])$/;

/** The text to copy into the configuration file: the public address of the console, that of this page where it has a name. */
export function PublicUrlText() {
  return (
    <>
      <pre class="file" tabIndex={-1}>
        {`[server]\npublic_url = "${publicUrl(location.href)}"`}
      </pre>
      <SettingsWay />
    </>
  );
}

function publicUrl(shown: string): string {
  const url = new URL(shown);
  if (NO_NAME.test(url.hostname)) {
    url.hostname = EXAMPLE_HOST;
    url.port = "";
  }
  url.protocol = "https:";
  return url.origin;
}
