/** The pages of the guide. Each is in `docs/guide` once for each language, under the same name. */
import { join } from "node:path";
import { readByLanguage, unpackOr } from "../../i18n/carried-texts.ts";
import type { NavigationEntry } from "./layout.ts";

export const readGuide = () => readByLanguage(join(import.meta.dir, "../guide"), (text) => text);

const TEXTS = unpackOr(process.env.BENDRE_GUIDE, readGuide);

type PageTexts = Readonly<Record<keyof typeof TEXTS, string>>;
type GuidePage = Pick<NavigationEntry, "slug" | "group"> & PageTexts;

function textsOf(slug: string): PageTexts {
  return { en: TEXTS.en[slug] ?? "", fr: TEXTS.fr[slug] ?? "" };
}

/** The first page, which the others are listed below. */
export const INDEX = textsOf("index");

/** The others in reading order, by their group. */
const GROUPS = {
  start: ["quick-start", "test-keys", "going-live", "moving", "smpp"],
  guides: [
    "classes",
    "tags",
    "texts",
    "retries",
    "following",
    "webhooks",
    "money",
    "whatsapp",
    "schedules",
    "senders",
    "limits",
  ],
  reference: ["errors", "whatsapp-number"],
} as const;

export const GUIDE: readonly GuidePage[] = (["start", "guides", "reference"] as const).flatMap((group) =>
  GROUPS[group].map((slug) => ({ slug, group, ...textsOf(slug) })),
);
