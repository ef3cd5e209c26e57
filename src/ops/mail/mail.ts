/**
 * The way out to mail servers of others.
 *
 * Begin here: what a server is told, and what came of it. `send-mail` opens the socket, and is the one file that does. Whether a
 * mail is tried again, and when, is for whoever sends it.
 */

import { connect, type Socket } from "node:net";
import type { SMTPTransportOptions } from "nodemailer";
import { type Phrase, phrase, said } from "../../i18n/phrase.ts";

/** A server that takes mail for us, as the administrator says. */
export type MailServer = {
  readonly host: string;
  readonly port: number;
  /** `starttls`: begun in clear text and never without turning to TLS; `implicit`: TLS from the first octet. */
  readonly tls: "starttls" | "implicit" | "none";
  /** Empty: without authentication. */
  readonly user: string;
  readonly password: string;
  /** Authorities in place of the system's, PEM; null for those of the system. */
  readonly ca: string | null;
};

/** One mail to one address. */
export type Mail = {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  /** The same each time that the mail is tried, so that a mail server may know a repetition. */
  readonly messageId: string;
  readonly date: Date;
};

/**
 * Hands a mail over; resolves with why it was not taken, without secrets, or null where the server took it. Never
 * rejects. A minute at most; ends at once when stopped.
 */
export type SendMail = (server: MailServer, mail: Mail, stop?: AbortSignal) => Promise<Phrase | null>;

/** A server that is silent for so long is left. */
const SILENCE_MS = 15_000;
/** All of it together. */
const MAX_MS = 60_000;

/** Over the machine's network. */
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
    return whyUntaken(error, server);
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
      // RFC 3834 section 5: nobody's holiday answer is wanted.
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
    // Said, because the environment could switch it off (NODE_TLS_REJECT_UNAUTHORIZED).
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

/** There was no connection for as long as a server may be silent. */
class TooSlow extends Error {
  override name = "TooSlow";
}

/** What the server said is of most use; a line of it is enough. */
function whyUntaken(error: unknown, server: MailServer): Phrase {
  if (error instanceof TooSlow) return phrase("network.no_connection", { seconds: SILENCE_MS / 1000 });
  if (!(error instanceof Error)) return phrase("network.unknown");
  const code = "code" in error && typeof error.code === "string" ? `${error.code}: ` : "";
  const words = `${code}${error.message}`.replace(/\p{Cc}+/gu, " ").slice(0, 300);
  return said(withoutSecrets(words, server));
}

/** A server may repeat what it was told. */
function withoutSecrets(words: string, { user, password }: MailServer): string {
  if (password === "") return words;
  const forms = [password, base64(password), base64(`\0${user}\0${password}`)];
  return forms.reduce((left, form) => left.replaceAll(form, "***"), words);
}

function base64(text: string): string {
  return Buffer.from(text, "utf8").toString("base64");
}
