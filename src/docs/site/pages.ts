/** The pages of the guide, in reading order. Each is in `docs/guide` once for each language, under the same name. */
import classesEn from "../guide/en/classes.md" with { type: "text" };
import errorsEn from "../guide/en/errors.md" with { type: "text" };
import followingEn from "../guide/en/following.md" with { type: "text" };
import goingLiveEn from "../guide/en/going-live.md" with { type: "text" };
import indexEn from "../guide/en/index.md" with { type: "text" };
import limitsEn from "../guide/en/limits.md" with { type: "text" };
import moneyEn from "../guide/en/money.md" with { type: "text" };
import movingEn from "../guide/en/moving.md" with { type: "text" };
import quickStartEn from "../guide/en/quick-start.md" with { type: "text" };
import retriesEn from "../guide/en/retries.md" with { type: "text" };
import schedulesEn from "../guide/en/schedules.md" with { type: "text" };
import sendersEn from "../guide/en/senders.md" with { type: "text" };
import tagsEn from "../guide/en/tags.md" with { type: "text" };
import testKeysEn from "../guide/en/test-keys.md" with { type: "text" };
import textsEn from "../guide/en/texts.md" with { type: "text" };
import webhooksEn from "../guide/en/webhooks.md" with { type: "text" };
import whatsappEn from "../guide/en/whatsapp.md" with { type: "text" };
import whatsappNumberEn from "../guide/en/whatsapp-number.md" with { type: "text" };
import classesFr from "../guide/fr/classes.md" with { type: "text" };
import errorsFr from "../guide/fr/errors.md" with { type: "text" };
import followingFr from "../guide/fr/following.md" with { type: "text" };
import goingLiveFr from "../guide/fr/going-live.md" with { type: "text" };
import indexFr from "../guide/fr/index.md" with { type: "text" };
import limitsFr from "../guide/fr/limits.md" with { type: "text" };
import moneyFr from "../guide/fr/money.md" with { type: "text" };
import movingFr from "../guide/fr/moving.md" with { type: "text" };
import quickStartFr from "../guide/fr/quick-start.md" with { type: "text" };
import retriesFr from "../guide/fr/retries.md" with { type: "text" };
import schedulesFr from "../guide/fr/schedules.md" with { type: "text" };
import sendersFr from "../guide/fr/senders.md" with { type: "text" };
import tagsFr from "../guide/fr/tags.md" with { type: "text" };
import testKeysFr from "../guide/fr/test-keys.md" with { type: "text" };
import textsFr from "../guide/fr/texts.md" with { type: "text" };
import webhooksFr from "../guide/fr/webhooks.md" with { type: "text" };
import whatsappFr from "../guide/fr/whatsapp.md" with { type: "text" };
import whatsappNumberFr from "../guide/fr/whatsapp-number.md" with { type: "text" };
import type { NavigationEntry } from "./layout.ts";

type GuidePage = Pick<NavigationEntry, "slug" | "group"> & { readonly en: string; readonly fr: string };

/** The first page, which the others are listed below. */
export const INDEX = { en: indexEn, fr: indexFr };

export const GUIDE: readonly GuidePage[] = [
  { slug: "quick-start", group: "start", en: quickStartEn, fr: quickStartFr },
  { slug: "test-keys", group: "start", en: testKeysEn, fr: testKeysFr },
  { slug: "going-live", group: "start", en: goingLiveEn, fr: goingLiveFr },
  { slug: "moving", group: "start", en: movingEn, fr: movingFr },
  { slug: "classes", group: "guides", en: classesEn, fr: classesFr },
  { slug: "tags", group: "guides", en: tagsEn, fr: tagsFr },
  { slug: "texts", group: "guides", en: textsEn, fr: textsFr },
  { slug: "retries", group: "guides", en: retriesEn, fr: retriesFr },
  { slug: "following", group: "guides", en: followingEn, fr: followingFr },
  { slug: "webhooks", group: "guides", en: webhooksEn, fr: webhooksFr },
  { slug: "money", group: "guides", en: moneyEn, fr: moneyFr },
  { slug: "whatsapp", group: "guides", en: whatsappEn, fr: whatsappFr },
  { slug: "schedules", group: "guides", en: schedulesEn, fr: schedulesFr },
  { slug: "senders", group: "guides", en: sendersEn, fr: sendersFr },
  { slug: "limits", group: "guides", en: limitsEn, fr: limitsFr },
  { slug: "errors", group: "reference", en: errorsEn, fr: errorsFr },
  { slug: "whatsapp-number", group: "reference", en: whatsappNumberEn, fr: whatsappNumberFr },
];
