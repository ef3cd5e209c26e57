/** Opens the channels by which messages leave, and says what each has to do with the rest of the house. */

import type { Chance } from "./base/chance.ts";
import type { Clock } from "./base/clock.ts";
import type { NewId } from "./base/ids.ts";
import type { Log } from "./base/log.ts";
import type { StopPlan } from "./base/stop-plan.ts";
import type { Settings, SettingsHolder } from "./config/in-force.ts";
import type { IntakeChannels } from "./intake/channel.ts";
import { type SmsIntakeDeps, smsIntake } from "./intake/sms.ts";
import type { Machine } from "./machine.ts";
import type { SettleUnheld } from "./outbound/line.ts";
import { settling, withSandboxes } from "./sandbox/sandbox-lines.ts";
import { smsLines } from "./sms/lines.ts";
import { settleUnheld } from "./sms/rescue.ts";
import { trialTold } from "./sms/trial-rows.ts";
import type { Store } from "./store/store.ts";
import { clientTemplates } from "./whatsapp/client-templates.ts";
import { whatsappIntake } from "./whatsapp/intake.ts";
import { whatsappLines } from "./whatsapp/lines.ts";
import { templateSync } from "./whatsapp/sync-templates.ts";
import { templateDesk } from "./whatsapp/template-desk.ts";
import { NEWS_FIELDS } from "./whatsapp/template-news.ts";
import { settlingPosts } from "./whatsapp/unheld.ts";
import { userDesk } from "./whatsapp/user-desk.ts";
import { whatsappWebhook } from "./whatsapp/webhook.ts";
import { templateWording } from "./whatsapp/wording.ts";

type House = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly machine: Machine;
  readonly settings: SettingsHolder;
  readonly store: Store;
  readonly newId: NewId;
  readonly plan: StopPlan;
};

/** The lines of both channels and of sandboxes, the routes that Meta calls, and the reading of its templates. */
export function openChannels(house: House, readNumber: (text: string) => string | null) {
  const { machine, settings, plan } = house;
  const readPem = settings.pem;
  const sms = smsLines({ ...house, dial: machine.dial, readPem, readNumber });
  plan.first("lines", sms.halt);
  const whatsapp = whatsappLines({
    ...house,
    https: machine.https,
    readPem,
    wording: templateWording(house),
    readSoon: (wabaId) => templates.readSoon(wabaId),
    ofTest: trialTold,
  });
  plan.first("lines of WhatsApp", whatsapp.halt);
  const lines = withSandboxes(house, [sms.open, whatsapp.open], unheldOfChannels(settings));
  const templates = templateSync({ ...house, ...whatsapp });
  const { takeTexts, takePreferences } = userDesk({ ...house, ...whatsapp });
  const takeNews = templateDesk({ ...house, ...templates });
  const others = {
    user_preferences: takePreferences,
    ...Object.fromEntries(NEWS_FIELDS.map((field) => [field, takeNews])),
  };
  const webhook = whatsappWebhook({ ...house, ...whatsapp, takeTexts, others });
  const listTemplates = clientTemplates(settings, house.store);
  return {
    sms,
    whatsapp,
    lines,
    templates,
    listTemplates,
    webhook,
  };
}

/** What taking batches in asks of each channel. */
export function intakeChannels(deps: SmsIntakeDeps): IntakeChannels {
  return { SMS: smsIntake(deps), WHATSAPP: whatsappIntake(deps) };
}

/** How claimed messages go on that nobody holds, those of sandboxes too. */
export function unheldIn(settings: Pick<Settings, "now">): SettleUnheld {
  return settling(unheldOfChannels(settings));
}

function unheldOfChannels(settings: Pick<Settings, "now">): SettleUnheld {
  return settlingPosts(settleUnheld(settings));
}
