/** Opens the channels that messages leave by, and connects each with the rest of the application. */

import { settling, withSandboxes } from "../channels/sandbox/sandbox-workers.ts";
import { smppWorkers } from "../channels/sms/smpp-worker.ts";
import { recoverClaim } from "../channels/sms/submit-results.ts";
import { applyTestStatus } from "../channels/sms/test-messages.ts";
import { createListTemplates, createWhatsAppChannel } from "../channels/whatsapp/batch-preparation.ts";
import { createPostComposer } from "../channels/whatsapp/compose-post.ts";
import { recoverPosts } from "../channels/whatsapp/post-messages.ts";
import {
  createTemplateNewsHandler,
  NEWS_FIELDS,
  templateSync,
} from "../channels/whatsapp/template-updates.ts";
import { createUserEventHandler } from "../channels/whatsapp/user-events.ts";
import { whatsappWebhook } from "../channels/whatsapp/webhook.ts";
import { openWhatsAppWorkers } from "../channels/whatsapp/workers.ts";
import type { Settings, SettingsHolder } from "../config/live-config.ts";
import type { Chance } from "../core/chance.ts";
import type { Clock } from "../core/clock.ts";
import type { NewId } from "../core/ids.ts";
import type { Log } from "../core/log.ts";
import type { ShutdownPlan } from "../core/shutdown-plan.ts";
import type { Store } from "../db/store.ts";
import type { RecoverClaim } from "../dispatch/leases.ts";
import type { IntakeChannels } from "../domain/submission/intake-channel.ts";
import { type SmsIntakeDeps, smsIntake } from "../domain/submission/sms-intake.ts";
import type { Platform } from "./platform.ts";

type ChannelWiring = {
  readonly clock: Clock;
  readonly chance: Chance;
  readonly log: Log;
  readonly machine: Platform;
  readonly settings: SettingsHolder;
  readonly store: Store;
  readonly newId: NewId;
  readonly plan: ShutdownPlan;
};

/** Opens the workers of both channels and of sandboxes, the routes that Meta calls, and the template sync. */
export function openChannels(appContext: ChannelWiring, readNumber: (text: string) => string | null) {
  const { machine, settings, plan } = appContext;
  const readPem = settings.pem;
  const sms = smppWorkers({ ...appContext, dial: machine.dial, readPem, readNumber });
  plan.first("lines", sms.halt);
  const whatsapp = openWhatsAppWorkers({
    ...appContext,
    https: machine.https,
    readPem,
    wording: createPostComposer(appContext),
    readSoon: (wabaId) => templates.readSoon(wabaId),
    ofTest: applyTestStatus,
  });
  plan.first("lines of WhatsApp", whatsapp.halt);
  const lines = withSandboxes(appContext, [sms.open, whatsapp.open], unheldOfChannels(settings));
  const templates = templateSync({ ...appContext, ...whatsapp });
  const { takeTexts, takePreferences } = createUserEventHandler({ ...appContext, ...whatsapp });
  const takeNews = createTemplateNewsHandler({ ...appContext, ...templates });
  const others = {
    user_preferences: takePreferences,
    ...Object.fromEntries(NEWS_FIELDS.map((field) => [field, takeNews])),
  };
  const webhook = whatsappWebhook({ ...appContext, ...whatsapp, takeTexts, others });
  const listTemplates = createListTemplates(settings, appContext.store);
  return {
    sms,
    whatsapp,
    lines,
    templates,
    listTemplates,
    webhook,
  };
}

/** What accepting batches needs of each channel. */
export function intakeChannels(deps: SmsIntakeDeps): IntakeChannels {
  return { SMS: smsIntake(deps), WHATSAPP: createWhatsAppChannel(deps) };
}

/** The recovery rule for claimed messages without a lease, sandboxes included. */
export function createClaimRecovery(settings: Pick<Settings, "now">): RecoverClaim {
  return settling(unheldOfChannels(settings));
}

function unheldOfChannels(settings: Pick<Settings, "now">): RecoverClaim {
  return recoverPosts(recoverClaim(settings));
}
