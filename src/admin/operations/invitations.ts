/**
 * Mails a first invitation to whoever it is for, over the mail server of alerts, in their language. Whether the mail was taken is told; the
 * link is shown all the same, and stands in no log.
 */
import { isLoopbackHost } from "../../config/listen.ts";
import type { UserLanguage } from "../../domain/accounts/roles.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { renderTo } from "../../i18n/text.ts";
import type { AdminContext } from "./context.ts";

/** What a mail says. */
type Invitation = {
  /** The address of the invited person. */
  readonly login: string;
  /** Null: not known yet. */
  readonly language: UserLanguage | null;
  readonly timezone: string | null;
  /** The name of their account; null of staff. */
  readonly account: string | null;
  readonly link: string;
  readonly untilMs: number;
};

/** Whether a mail left; null in place of it where no mail server is set up. */
export type MailResult = {
  readonly to: string;
  readonly sent: boolean;
  /** Why it was not taken; null where it was. */
  readonly detail: Phrase | null;
};

/** Mails it, once: a mail that is not taken is not kept. */
export async function mailInvitation(
  context: AdminContext,
  invitation: Invitation,
): Promise<MailResult | null> {
  const { config, machine, clock, newId, server, file, breakOff } = context;
  const { from, ca_file, ...smtp } = config.alerts.smtp;
  if (smtp.host === "" || from === "") return null;
  const to = invitation.login;
  if (!URL.canParse(invitation.link)) {
    return { to, sent: false, detail: phrase("invitation.not_sent.no_address") };
  }
  if (config.server.public_url === "" && isLoopbackHost(new URL(invitation.link).hostname)) {
    return { to, sent: false, detail: phrase("invitation.not_sent.this_machine") };
  }
  const readPems = () => server?.configuration.inForce().pems ?? file?.pems;
  const ca = ca_file === "" ? null : (readPems()?.get(ca_file) ?? null);
  const content = renderInvitation(invitation, context.actor, config.seller.name, config.defaults.timezone);
  const messageId = `${newId()}@${from.slice(from.indexOf("@") + 1)}`;
  const mail = { from, to, ...content, messageId, date: new Date(clock.nowMs()) };
  const why = await machine.sendMail({ ...smtp, ca }, mail, breakOff);
  return { to, sent: why === null, detail: why };
}

/** The language of who has chosen none: that of most. */
const USUAL_LANGUAGE: UserLanguage = "fr";

/** Subject and text: in the name of the seller, or of whoever invites where none is set (""). Pure. */
export function renderInvitation(
  { language, timezone, account, link, untilMs }: Invitation,
  by: string,
  seller: string,
  usualZone: string,
): { readonly subject: string; readonly text: string } {
  const zone = timezone ?? usualZone;
  const reader = { locale: language ?? USUAL_LANGUAGE, timeZone: zone };
  const say = (what: Phrase): string => renderTo(reader, what);
  const { host } = new URL(link);
  const [subject, text] = seller === "" ? byPerson(by, host, account) : bySeller(seller, account);
  const paragraphs = [
    say(text),
    `${say(phrase("invitation.mail.open"))}\n${link}`,
    say(phrase("invitation.mail.until", { until: untilMs, zone })),
    say(phrase("invitation.mail.unexpected")),
  ];
  return { subject: say(subject), text: `${paragraphs.join("\n\n")}\n` };
}

type Opening = readonly [subject: Phrase, text: Phrase];

function byPerson(by: string, host: string, account: string | null): Opening {
  return [
    phrase("invitation.mail.subject", { host }),
    account === null
      ? phrase("invitation.mail.text", { by, host })
      : phrase("invitation.mail.text.account", { by, host, account }),
  ];
}

function bySeller(seller: string, account: string | null): Opening {
  return [
    phrase("invitation.mail.subject.seller", { seller }),
    account === null
      ? phrase("invitation.mail.text.seller", { seller })
      : phrase("invitation.mail.text.seller.account", { seller, account }),
  ];
}
