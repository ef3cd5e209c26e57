import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import { type HealthCheck, well } from "../../core/health.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";
import { type CertificateEnd, certificateEnds } from "../certificates.ts";

/** Renewing takes a person, and sometimes an operator: two weeks are enough for both. */
const SOON_MS = 14 * 24 * 3_600_000;

/** Files are read again after this, however often somebody asks. */
const KEPT_MS = 60_000;

/** Whether the certificates that the configuration names are good for two weeks at least. */
export function certificatesCheck(
  settings: Settings,
  clock: Clock,
  readPem: (path: string) => string | null,
): HealthCheck {
  const ends = keptEnds(settings, clock, readPem);
  return {
    name: "certificates",
    look: () => {
      const all = ends();
      const nowMs = clock.nowMs();
      const late = all.filter(({ endsAtMs }) => endsAtMs === null || endsAtMs - nowMs < SOON_MS);
      if (late.length === 0)
        return well(all.length === 0 ? phrase("health.certificates.none") : firstEnd(all));
      return {
        status: "degraded",
        detail: phrase("health.certificates.late", { parts: late.map((each) => endPhrase(each, nowMs)) }),
        action: phrase("health.certificates.action"),
      };
    },
  };
}

/** The ends of all certificates, read anew once a minute and with every other configuration. */
function keptEnds(settings: Settings, clock: Clock, readPem: (path: string) => string | null) {
  let kept: {
    readonly ends: readonly CertificateEnd[];
    readonly of: unknown;
    readonly untilMs: number;
  } | null = null;
  return (): readonly CertificateEnd[] => {
    const config = settings.now();
    if (kept?.of !== config || clock.steadyMs() >= kept.untilMs) {
      kept = { ends: certificateEnds(config, readPem), of: config, untilMs: clock.steadyMs() + KEPT_MS };
    }
    return kept.ends;
  };
}

function firstEnd(all: readonly CertificateEnd[]): Phrase {
  const first = Math.min(...all.map(({ endsAtMs }) => endsAtMs ?? Number.POSITIVE_INFINITY));
  return phrase("health.certificates", { count: all.length, first });
}

function endPhrase({ key, endsAtMs }: CertificateEnd, nowMs: number): Phrase {
  if (endsAtMs === null) return phrase("health.certificates.unreadable", { key });
  return phrase(endsAtMs <= nowMs ? "health.certificates.ended" : "health.certificates.ends", {
    key,
    end: endsAtMs,
  });
}
