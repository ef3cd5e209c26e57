/** Opens the channels by which messages leave, and says what each has to do with the rest of the house. */

import { settling, withSandboxes } from "../channels/sandbox/sandbox-lines.ts";
import { smsLines } from "../channels/sms/lines.ts";
import { settleUnheld } from "../channels/sms/rescue.ts";
import { trialTold } from "../channels/sms/trial-rows.ts";
import { clientTemplates } from "../channels/whatsapp/client-templates.ts";
import { whatsappIntake } from "../channels/whatsapp/intake.ts";
import { whatsappLines } from "../channels/whatsapp/lines.ts";
import { templateSync } from "../channels/whatsapp/sync-templates.ts";
import { templateDesk } from "../channels/whatsapp/template-desk.ts";
import { NEWS_FIELDS } from "../channels/whatsapp/template-news.ts";
import { settlingPosts } from "../channels/whatsapp/unheld.ts";
import { userDesk } from "../channels/whatsapp/user-desk.ts";
import { whatsappWebhook } from "../channels/whatsapp/webhook.ts";
import { templateWording } from "../channels/whatsapp/wording.ts";
import type { Settings, SettingsHolder } from "../config/in-force.ts";
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { StopPlan } from "../core/stop-plan.ts";
import type { Store } from "../db/store.ts";
import type { SettleUnheld } from "../dispatch/line.ts";
import type { IntakeChannels } from "../domain/submission/channel.ts";
import { type SmsIntakeDeps, smsIntake } from "../domain/submission/sms.ts";
import type { Machine } from "./platform.ts";

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
