/**
 * Sends mail through the administrator's mail server.
 *
 * `SendMail` hands one mail over and says what came of it. This is the one file that opens sockets to mail servers. Whether and
 * when a mail is retried is the caller's decision.
 */

import { connect, type Socket } from "node:net";
import type { SMTPTransportOptions } from "nodemailer";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";

/** The configured mail server. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** `starttls`: starts in clear text, and fails without an upgrade to TLS; `implicit`: TLS from the first octet. */
  readonly tls: "starttls" | "implicit" | "none";
  /** Empty: without authentication. */
  readonly user: string;
  readonly password: string;
  /** Certificate authorities in place of the system's, PEM; null: the system's. */
  readonly ca: string | null;
};

/** One mail to one address. */
export type Mail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same at each attempt, so that a mail server can recognise a repetition. */
  readonly messageId: string;
  readonly date: Date;
};

/**
 * Hands a mail over; resolves with why it was not taken, without secrets, or null where the server took it. Never
 * rejects. A minute at most; ends at once when stopped.
 */
export type SendMail = (server: MailServer, mail: Mail, stop?: AbortSignal) => Promise<Phrase | null>;

/** How long a server may be silent. */
const SILENCE_MS = 15_000;
/** The limit of a whole delivery. */
const MAX_MS = 60_000;

/** `SendMail` over the system's network. */
export const systemSendMail: SendMail = async (server, mail, stop) => {
  const over = AbortSignal.any([AbortSignal.timeout(MAX_MS), ...(stop ? [stop] : [])]);
  const left = Promise.withResolvers<Phrase>();
  const leave = () =>
    left.resolve(
      stop?.aborted
        ? phrase("alarm.untold.stopped")
        : phrase("alarm.untold.no_end", { seconds: MAX_MS / 1000 }),
    );
  over.addEventListener("abort", leave);
  try {
    return await Promise.race([handOver(server, mail, over), left.promise]);
  } catch (error) {
    return explainRefusal(error, server);
  } finally {
    over.removeEventListener("abort", leave);
  }
};

async function handOver(server: MailServer, mail: Mail, over: AbortSignal): Promise<null> {
  // Loaded when the first mail leaves: an appliance that sends none does not carry it in memory.
  const { createTransport } = await import("nodemailer");
  const transport = createTransport(transportTo(server, over));
  try {
    await transport.sendMail({
      from: mail.from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      messageId: `<${mail.messageId}>`,
      date: mail.date,
      // RFC 3834 section 5: suppresses automatic replies.
      headers: { "Auto-Submitted": "auto-generated" },
    });
    return null;
  } finally {
    transport.close();
  }
}

function transportTo(server: MailServer, over: AbortSignal): SMTPTransportOptions {
  const { host, port, tls, user, password, ca } = server;
  return {
    host,
    port,
    secure: tls === "implicit",
    requireTLS: tls === "starttls",
    ignoreTLS: tls === "none",
    ...(user === "" ? {} : { auth: { user, pass: password } }),
    // Explicit, because the environment could disable it (NODE_TLS_REJECT_UNAUTHORIZED).
    tls: { rejectUnauthorized: true, minVersion: "TLSv1.2", ...(ca === null ? {} : { ca }) },
    connectionTimeout: SILENCE_MS,
    greetingTimeout: SILENCE_MS,
    socketTimeout: SILENCE_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
    getSocket: (_, callback) => openSocket(host, port, over, callback),
  };
}

/** Our own socket, because one that the library opened could not be ended when the appliance stops. */
function openSocket(
  host: string,
  port: number,
  over: AbortSignal,
  callback: (error: Error | null, socket?: { connection: Socket }) => void,
): void {
  const socket = connect({ host, port });
  const end = () => socket.destroy();
  const failed = (error: Error) => callback(error);
  const slow = AbortSignal.timeout(SILENCE_MS);
  const tooSlow = () => socket.destroy(new TooSlow());
  over.addEventListener("abort", end);
  socket.once("close", () => over.removeEventListener("abort", end));
  slow.addEventListener("abort", tooSlow);
  socket.once("error", failed);
  socket.once("connect", () => {
    slow.removeEventListener("abort", tooSlow);
    socket.off("error", failed);
    callback(null, { connection: socket });
  });
}

/** No connection within the time a server may be silent. */
class TooSlow extends Error {
  override name = "TooSlow";
}

/** Why the mail was not taken: the first line of the server's reply where there is one. */
function explainRefusal(error: unknown, server: MailServer): Phrase {
  if (error instanceof TooSlow) return phrase("network.no_connection", { seconds: SILENCE_MS / 1000 });
  if (!(error instanceof Error)) return phrase("network.unknown");
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const words = `${code}${error.message}`.replace(/\p{Cc}+/gu, " ").slice(0, 300);
  return said(withoutSecrets(words, server));
}

/** Removes credentials: a server may echo them. */
function withoutSecrets(words: string, { user, password }: MailServer): string {
  if (password === "") return words;
  const forms = [password, base64(password), base64(`\0${user}\0${password}`)];
  return forms.reduce((left, form) => left.replaceAll(form, "***"), words);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
