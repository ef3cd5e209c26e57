/**
 * The part of the catalogues that pages use themselves: checks, connections, and why an operator or a server of Meta was not
 * reached. What the server words for the caller needs none.
 */
import enCommon from "../../../i18n/en/common.json" with { type: "json" };
import enHealth from "../../../i18n/en/health.json" with { type: "json" };
import enLink from "../../../i18n/en/link.json" with { type: "json" };
import enNetwork from "../../../i18n/en/network.json" with { type: "json" };
import enReadiness from "../../../i18n/en/readiness.json" with { type: "json" };
import enRow from "../../../i18n/en/row.json" with { type: "json" };
import frCommon from "../../../i18n/fr/common.json" with { type: "json" };
import frHealth from "../../../i18n/fr/health.json" with { type: "json" };
import frLink from "../../../i18n/fr/link.json" with { type: "json" };
import frNetwork from "../../../i18n/fr/network.json" with { type: "json" };
import frReadiness from "../../../i18n/fr/readiness.json" with { type: "json" };
import frRow from "../../../i18n/fr/row.json" with { type: "json" };
export const PAGE_CATALOGUES = {
  en: {
    common: enCommon,
    health: enHealth,
    link: enLink,
    network: enNetwork,
    readiness: enReadiness,
    row: enRow,
  },
  fr: {
    common: frCommon,
    health: frHealth,
    link: frLink,
    network: frNetwork,
    readiness: frReadiness,
    row: frRow,
  },
} as const;
