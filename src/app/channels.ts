/** Opens the channels that messages leave by, and connects each with the rest of the application. */

import { recoverSandboxClaims, withSandboxes } from "../channels/sandbox/sandbox-workers.ts";
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
import type { InboundRules } from "../domain/inbound/inbound.ts";
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
export function openChannels(
  context: ChannelWiring,
  inbound: {
    readonly readNumber: InboundRules["readNumber"];
    readonly onInboundKept: InboundRules["onKept"];
  },
) {
  const { machine, settings, plan } = context;
  const readPem = settings.pem;
  const { dial, https } = machine;
  const sms = smppWorkers({ ...context, dial, https, readPem, ...inbound });
  plan.first("lines", sms.halt);
  const whatsapp = openWhatsAppWorkers({
    ...context,
    https,
    readPem,
    wording: createPostComposer(context),
    readSoon: (wabaId) => templates.readSoon(wabaId),
    ofTest: applyTestStatus,
  });
  plan.first("lines of WhatsApp", whatsapp.halt);
  const workers = withSandboxes(context, [sms.open, whatsapp.open], recoverClaimOfChannels(settings));
  const templates = templateSync({ ...context, ...whatsapp });
  const { takeTexts, takePreferences } = createUserEventHandler({ ...context, ...whatsapp });
  const takeNews = createTemplateNewsHandler({ ...context, ...templates });
  const others = {
    user_preferences: takePreferences,
    ...Object.fromEntries(NEWS_FIELDS.map((field) => [field, takeNews])),
  };
  const webhook = whatsappWebhook({ ...context, ...whatsapp, takeTexts, others });
  const listTemplates = createListTemplates(settings, context.store);
  return {
    sms,
    whatsapp,
    workers,
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
  return recoverSandboxClaims(recoverClaimOfChannels(settings));
}

function recoverClaimOfChannels(settings: Pick<Settings, "now">): RecoverClaim {
  return recoverPosts(recoverClaim(settings));
}
