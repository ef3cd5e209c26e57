/** What the server says by codes, in the reader's language and zone: the part of the catalogues that pages show. */
import enCommon from "../../../i18n/en/common.json" with { type: "json" };
import enHealth from "../../../i18n/en/health.json" with { type: "json" };
import enLink from "../../../i18n/en/link.json" with { type: "json" };
import enRow from "../../../i18n/en/row.json" with { type: "json" };
import frCommon from "../../../i18n/fr/common.json" with { type: "json" };
import frHealth from "../../../i18n/fr/health.json" with { type: "json" };
import frLink from "../../../i18n/fr/link.json" with { type: "json" };
import frRow from "../../../i18n/fr/row.json" with { type: "json" };
import { capitalised, type Phrase, renderer, type Text } from "../../../i18n/phrase.ts";
import { VALUES } from "../../../i18n/values.ts";
import { language, timezone } from "../state/choices.ts";

const render = renderer(
  {
    en: { common: enCommon, health: enHealth, link: enLink, row: enRow },
    fr: { common: frCommon, health: frHealth, link: frLink, row: frRow },
  },
  VALUES,
);

/** A phrase as it stands in a sentence. */
export function told(phrase: Phrase): Text {
  return render(phrase, { locale: language.value, timeZone: timezone.value });
}

/** A phrase as a part of other words. */
export function within(phrase: Phrase): string {
  return told(phrase) as unknown as string;
}

/** A phrase that begins other words. */
export function sayingWithin(phrase: Phrase): string {
  return saying(phrase) as unknown as string;
}

/** A phrase that stands by itself. */
export function saying(phrase: Phrase): Text {
  return capitalised(told(phrase));
}
