/**
 * The way out to mail servers of others.
 *
 * Begin here: what a server is told, and what came of it. `send-mail` opens the socket, and is the one file that does. Whether a
 * mail is tried again, and when, is for whoever sends it.
 */
import type { Phrase } from "../../i18n/phrase.ts";

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
