/** A mail server on the loopback that takes what it is told, or answers as a test wants. Real sockets, real TLS. */
import { type AddressInfo, createServer, type Socket } from "node:net";
import { createServer as createSecureServer, TLSSocket } from "node:tls";
import { HOOK_CERTIFICATE, HOOK_KEY } from "./certificates.ts";

/** One mail as it was taken. */
export type TakenMail = {
  readonly from: string;
  readonly to: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  readonly isSecure: boolean;
  /** Who had said who he is; null for nobody. */
  readonly user: string | null;
};

export type SmtpServer = {
  readonly port: number;
  readonly taken: readonly TakenMail[];
  /** Every line that came in, of all connections. */
  readonly lines: readonly string[];
  /** The next ones are answered so; null: as usual. */
  answer: (line: string) => string | null;
  readonly close: () => Promise<void>;
};

export type SmtpServerKind = {
  readonly tls: "starttls" | "implicit" | "none";
  readonly user?: string;
  readonly password?: string;
};

const TLS = { cert: HOOK_CERTIFICATE, key: HOOK_KEY };

export async function startSmtpServer({ tls, user, password }: SmtpServerKind): Promise<SmtpServer> {
  const taken: TakenMail[] = [];
  const lines: string[] = [];
  const sockets = new Set<Socket>();
  const greet = (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
    socket.write("220 mail.example.test\r\n");
    converse(socket, tls === "implicit");
  };
  const server = tls === "implicit" ? createSecureServer(TLS, greet) : createServer(greet);
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  const converse = (socket: Socket, isSecure: boolean): void => {
    let read = "";
    let data: string[] | null = null;
    let envelope = { from: "", to: [] as string[] };
    let known: string | null = null;
    const say = (line: string) => socket.write(`${line}\r\n`);
    const takeMail = (octets: string): void => {
      taken.push({ ...envelope, ...partsOf(octets), isSecure, user: known });
      envelope = { from: "", to: [] };
    };
    const obey = (line: string): void => {
      lines.push(line);
      const other = self.answer(line);
      if (other !== null) {
        say(other);
        if (other.startsWith("421")) socket.end();
        return;
      }
      const [verb = ""] = line.toUpperCase().split(" ");
      switch (verb) {
        case "EHLO":
          say("250-mail.example.test");
          if (tls === "starttls" && !isSecure) say("250-STARTTLS");
          say(user === undefined ? "250 8BITMIME" : "250 AUTH PLAIN");
          return;
        case "STARTTLS":
          if (tls !== "starttls") return void say("502 not here");
          say("220 go ahead");
          socket.off("data", hear);
          converse(new TLSSocket(socket, { isServer: true, ...TLS }), true);
          return;
        case "AUTH":
          if (line.split(" ")[2] === Buffer.from(`\0${user}\0${password}`).toString("base64")) {
            known = user ?? null;
            say("235 welcome");
          } else say(`535 5.7.8 these credentials are wrong: ${line}`);
          return;
        case "MAIL":
          envelope.from = addressIn(line);
          return void say(user !== undefined && known === null ? "530 who are you?" : "250 fine");
        case "RCPT":
          envelope.to.push(addressIn(line));
          return void say("250 fine");
        case "DATA":
          data = [];
          return void say("354 go ahead");
        case "QUIT":
          say("221 bye");
          return void socket.end();
        default:
          say("250 fine");
      }
    };
    const hear = (octets: Buffer): void => {
      read += octets.toString("latin1");
      for (let end = read.indexOf("\r\n"); end >= 0; end = read.indexOf("\r\n")) {
        const line = read.slice(0, end);
        read = read.slice(end + 2);
        if (data === null) obey(line);
        else if (line === ".") {
          const other = self.answer("end of data");
          if (other === null) takeMail(data.join("\r\n"));
          data = null;
          say(other ?? "250 taken");
        } else data.push(line.replace(/^\.\./, "."));
      }
    };
    socket.on("error", () => {});
    socket.on("data", hear);
  };

  const self: SmtpServer = {
    port: (server.address() as AddressInfo).port,
    taken,
    lines,
    answer: () => null,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
  return self;
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? "";
}

/** The headers of a mail, unfolded and decoded, and its text. */
function partsOf(octets: string): Pick<TakenMail, "headers" | "text"> {
  const end = octets.indexOf("\r\n\r\n");
  const unfolded = octets.slice(0, end).replace(/\r\n[ \t]+/g, " ");
  const headers = Object.fromEntries(
    unfolded.split("\r\n").map((line) => {
      const [, name = "", value = ""] = /^([^:]+): ?(.*)$/.exec(line) ?? [];
      return [name.toLowerCase(), wordsOf(value)];
    }),
  );
  const body = octets.slice(end + 4);
  const encoding = headers["content-transfer-encoding"];
  if (encoding === "base64") return { headers, text: Buffer.from(body, "base64").toString("utf8") };
  return { headers, text: encoding === "quoted-printable" ? quoted(body.replace(/=\r\n/g, "")) : body };
}

/** RFC 2047: encoded words, the white space between two of them gone. */
function wordsOf(value: string): string {
  return value
    .replace(/\?= +=\?/g, "?==?")
    .replace(/=\?UTF-8\?([QB])\?([^?]*)\?=/gi, (_, kind: string, text: string) =>
      kind.toUpperCase() === "B"
        ? Buffer.from(text, "base64").toString("utf8")
        : quoted(text.replaceAll("_", " ")),
    );
}

function quoted(text: string): string {
  const octets = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(octets, "latin1").toString("utf8");
}
