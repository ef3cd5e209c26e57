/** What the configuration file says of the address under which the console is reached from elsewhere. */
const PUBLIC_URL_EXAMPLE = `[server]
public_url = "https://sms.example.bf"`;

/** The text to copy into the file. */
export function PublicUrlText() {
  return (
    <pre class="file" tabIndex={-1}>
      {PUBLIC_URL_EXAMPLE}
    </pre>
  );
}
