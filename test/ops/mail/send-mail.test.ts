import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { type Phrase, phrase } from "../../../src/i18n/phrase.ts";
import { english } from "../../../src/i18n/text.ts";
import { type Mail, type MailServer, systemSendMail } from "../../../src/ops/mail/mail.ts";
import { TEST_AUTHORITY } from "../../kit/certificates.ts";
import { type SmtpServer, type SmtpServerKind, startSmtpServer } from "../../kit/smtp-server.ts";

let server: SmtpServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

const MAIL: Mail = {
  from: "bendre@example.test",
  to: "garde@example.test",
  subject: "ALARME : orange coupée",
  text: "Plus aucune connexion à l'opérateur.\n.\nÀ faire : appeler.\n",
  messageId: "01J@example.test",
  date: new Date(Date.UTC(2026, 2, 2, 9)),
};
const open = async (kind: SmtpServerKind): Promise<MailServer> => {
  server = await startSmtpServer(kind);
  const { tls, user = "", password = "" } = kind;
  return { host: "127.0.0.1", port: server.port, tls, user, password, ca: TEST_AUTHORITY };
};
const why = (error: Phrase | null) => english(error!);
const LOGIN = { user: "bendre", password: "a long password" };

describe("a mail", () => {
  test.each(["starttls", "implicit"] as const)(
    "reaches a server over TLS (%s), which knows who sent it, and reads as it was written",
    async (tls) => {
      const to = await open({ tls, ...LOGIN });
      expect(await systemSendMail(to, MAIL)).toBeNull();
      expect(server!.taken).toEqual([
        {
          from: "bendre@example.test",
          to: ["garde@example.test"],
          headers: expect.objectContaining({
            subject: MAIL.subject,
            "message-id": "<01J@example.test>",
            "auto-submitted": "auto-generated",
            date: expect.stringContaining("2 Mar 2026 09:00:00"),
          }),
          text: expect.stringContaining("connexion à l'opérateur."),
          isSecure: true,
          user: "bendre",
        },
      ]);
      expect(server!.taken[0]!.text.trimEnd().replaceAll("\r\n", "\n")).toBe(MAIL.text.trimEnd());
    },
  );

  test("reaches a server without TLS where the configuration says so", async () => {
    const to = await open({ tls: "none" });
    expect(await systemSendMail(to, MAIL)).toBeNull();
    expect(server!.taken).toMatchObject([{ isSecure: false, user: null }]);
  });

  test.each(["starttls", "implicit"] as const)(
    "is not handed to a server whose certificate is not trusted (%s), nor is the password",
    async (tls) => {
      const to = await open({ tls, ...LOGIN });
      expect(why(await systemSendMail({ ...to, ca: null }, MAIL))).toContain("certificate");
      expect(server!.taken).toEqual([]);
      expect(server!.lines.filter((line) => line.startsWith("AUTH"))).toEqual([]);
    },
  );

  test("is not handed over in clear text by a server that offers no TLS any more", async () => {
    const to = await open({ tls: "none", ...LOGIN });
    expect(await systemSendMail({ ...to, tls: "starttls" }, MAIL)).not.toBeNull();
    expect(server!.lines.filter((line) => /^(AUTH|MAIL)/.test(line))).toEqual([]);
  });
});

describe("why a mail was not taken", () => {
  test("is told in the server's words, without the password, also where the server repeats it", async () => {
    const to = await open({ tls: "implicit", ...LOGIN });
    const wrong = { ...to, password: "not the password" };
    const error = why(await systemSendMail(wrong, MAIL));
    expect(error).toContain("535 5.7.8 these credentials are wrong");
    expect(error).not.toContain(wrong.password);
    expect(error).not.toContain(Buffer.from(`\0bendre\0${wrong.password}`).toString("base64"));
    server!.answer = (line) => (line.startsWith("RCPT") ? "550 5.1.1 no such user" : null);
    expect(why(await systemSendMail(to, MAIL))).toContain("550 5.1.1 no such user");
    server!.answer = (line) => (line === "end of data" ? "451 4.3.0 try later" : null);
    expect(why(await systemSendMail(to, MAIL))).toContain("451 4.3.0 try later");
    expect(server!.taken).toEqual([]);
  });

  test("is told of a server that is not there", async () => {
    const to = await open({ tls: "none" });
    await server!.close();
    expect(why(await systemSendMail(to, MAIL))).toContain("ECONNREFUSED");
  });

  test("is told at once when the appliance stops while the server says nothing", async () => {
    const silent = createServer((socket) => socket.on("error", () => {}));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as { port: number };
    const stop = new AbortController();
    const came = new Promise<void>((resolve) => silent.once("connection", () => resolve()));
    const to: MailServer = { host: "127.0.0.1", port, tls: "none", user: "", password: "", ca: null };
    const sending = systemSendMail(to, MAIL, stop.signal);
    await came;
    stop.abort();
    expect(await sending).toEqual(phrase("alarm.untold.stopped"));
    await new Promise<void>((resolve) => silent.close(() => resolve()));
  });
});
