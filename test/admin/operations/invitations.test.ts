/** Invitations to the console: how long they last, and that they are mailed over a real mail server where one is set up. */
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminContext } from "../../../src/admin/operations/context.ts";
import { renderInvitation } from "../../../src/admin/operations/invitations.ts";
import { USER_OPERATIONS, userCreate } from "../../../src/admin/operations/users.ts";
import { deriveLinkEnd } from "../../../src/domain/accounts/user-links.ts";
import { setSecondFactor, userByLogin } from "../../../src/domain/accounts/users.ts";
import { configOf, document } from "../../config/sample.ts";
import { type SmtpServer, startSmtpServer } from "../../kit/smtp-server.ts";
import { type AdminFixture, adminFixture, granted } from "./fixture.ts";

const DAY_MS = 86_400_000;
const LOGIN = "awa@example.bf";

let admin: AdminFixture;
let server: SmtpServer;
beforeEach(async () => {
  admin = adminFixture();
  server = await startSmtpServer({ tls: "none" });
});
afterEach(async () => {
  await server.close();
  await admin.close();
});

/** The context with this mail server, or without one. */
function context(smtp: object | null = {}, tables: object = {}): AdminContext {
  const alerts =
    smtp === null
      ? {}
      : {
          alerts: {
            smtp: {
              host: "127.0.0.1",
              port: server.port,
              tls: "none",
              from: "bendre@example.test",
              ...smtp,
            },
          },
        };
  const config = configOf(
    document({ server: { public_url: "https://sms.example.bf" }, ...alerts, ...tables }),
  );
  return { ...admin.context, config, actor: "issa@example.bf" };
}

async function invite(
  asked: AdminContext,
  more: { readonly language?: string; readonly account?: string } = {},
) {
  const { language = null, account = null } = more;
  const role = account === null ? "SUPPORT" : "ACCOUNT_SENDER";
  return granted(await userCreate(asked, { login: LOGIN, role, account, language }));
}

const again = async (asked: AdminContext) =>
  granted(await USER_OPERATIONS["user link"].run(asked, { login: LOGIN }));

const lasts = ({ link_expires_at: until }: { readonly link_expires_at: string }) =>
  Date.parse(until) - admin.clock.nowMs();

const secretIn = (link: string) => link.split("#")[1] ?? "";

/** Somebody who came in once. */
async function comeIn(): Promise<void> {
  await admin.context.store.write((tx) => {
    setSecondFactor(tx, userByLogin(tx, LOGIN)?.id ?? 0, "sealed", 7);
  });
}

describe("a first invitation", () => {
  test("lasts three days; what resets something lasts half an hour, and is not mailed", async () => {
    expect(lasts(await invite(context()))).toBe(3 * DAY_MS);
    expect(lasts(await again(context()))).toBe(3 * DAY_MS);
    expect(server.taken).toHaveLength(2);
    await comeIn();
    const link = await again(context());
    expect([lasts(link), link.mail]).toEqual([30 * 60_000, null]);
    const reset = granted(await USER_OPERATIONS["user reset"].run(context(), { login: LOGIN }));
    expect([lasts(reset), reset.mail]).toEqual([30 * 60_000, null]);
    expect(server.taken).toHaveLength(2);
  });

  test("is mailed to whom it is for, in their language, with the link and until when it works", async () => {
    const account = await admin.account();
    const made = await invite(context(), { language: "en", account });
    expect(made.mail).toEqual({ to: LOGIN, sent: true, detail: null });
    const [mail] = server.taken;
    expect(mail).toMatchObject({ from: "bendre@example.test", to: [LOGIN] });
    expect(mail?.text).toContain(made.link);
    expect(mail?.text).toContain("issa@example.bf gives you access");
    expect(mail?.text).toContain("Faso Shop");
  });

  test("sent again voids the former link, and says so by mail again", async () => {
    const first = await invite(context());
    const second = await again(context());
    expect(second.link).not.toBe(first.link);
    expect(server.taken.map(({ text }) => [text.includes(first.link), text.includes(second.link)])).toEqual([
      [true, false],
      [false, true],
    ]);
    const { read } = admin.context.store;
    expect(deriveLinkEnd(read, secretIn(first.link))).toEqual({ why: "UNKNOWN" });
    expect(deriveLinkEnd(read, secretIn(second.link))).toMatchObject({ login: LOGIN });
  });

  test("whose mail cannot leave is there all the same, and why is told", async () => {
    server.answer = (line) => (line.startsWith("RCPT") ? "550 5.1.1 no such user" : null);
    const made = await invite(context());
    expect(made.mail).toMatchObject({ to: LOGIN, sent: false });
    expect(JSON.stringify(made.mail?.detail)).toContain("550 5.1.1 no such user");
    expect(made.link).toContain("https://sms.example.bf/console/link#");
    const gone = context({ port: 1 });
    expect((await again(gone)).mail).toMatchObject({ sent: false });
  });

  test("is not mailed where its link opens on this machine alone, which is told with the link", async () => {
    const here = context({}, { server: { listen: "0.0.0.0:8080" } });
    const made = await invite(here);
    expect(made.mail).toEqual({
      to: LOGIN,
      sent: false,
      detail: { code: "invitation.not_sent.this_machine" },
    });
    expect(made.link).toContain("http://127.0.0.1:8080/console/link#");
    expect((await again(here)).mail).toMatchObject({ sent: false });
    expect(server.taken).toEqual([]);
    const inTheHouse = context({}, { server: { listen: "10.1.2.3:8080" } });
    expect((await again(inTheHouse)).mail).toMatchObject({ sent: true });
  });

  test("is written in the name of the seller, where there is one", async () => {
    const account = await admin.account();
    const sold = { ...context({}, { seller: { name: "Faso SMS" } }), actor: "root" };
    await invite(sold, { language: "en", account });
    const [mail] = server.taken;
    expect(mail?.text).toContain("Faso SMS gives you access to its console, for Faso Shop.");
    expect(mail?.headers.subject).toBe("Faso SMS: your access to the console");
    expect(mail?.text).not.toContain("root");
  });

  test("is handed over as before where no mail server is set up", async () => {
    expect((await invite(context(null))).mail).toBeNull();
    expect((await again(context({ from: "" }))).mail).toBeNull();
    expect(server.taken).toEqual([]);
  });

  test("leaves its secret in no record", async () => {
    const made = await invite(context());
    const rows = admin.context.store.read.all("SELECT * FROM audit_entries");
    expect(JSON.stringify(rows)).not.toContain(secretIn(made.link));
    expect(made.link.length).toBeGreaterThan(40);
  });
});

test("an invitation is written in the language of whom it is for, and in French where nobody knows it", () => {
  const about = {
    login: LOGIN,
    timezone: "Africa/Ouagadougou",
    account: null,
    link: "https://sms.example.bf/console/link#x",
    untilMs: Date.UTC(2026, 11, 3, 9),
  };
  const write = (language: "fr" | "en" | null) => renderInvitation({ ...about, language }, "issa", "", "UTC");
  const [french, english] = [write("fr"), write("en")];
  expect(write(null)).toEqual(french);
  expect(french.subject).not.toBe(english.subject);
  for (const { subject, text } of [french, english]) {
    expect(subject).toContain("sms.example.bf");
    expect(text).toContain(`\n${about.link}\n`);
    expect(text).toContain("09:00");
    expect(text).toContain("issa");
  }
});
