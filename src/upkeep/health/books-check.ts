import { type Clock, isoUtc } from "../../base/clock.ts";
import { type Finding, type HealthCheck, well } from "../../base/health.ts";
import type { Reader } from "../../store/read.ts";
import { type BooksCheck, lastCheck, standingOfCheck } from "../../wallet/checks.ts";

/** Whether the last check of the books is of last night and found them right. */
export function booksCheck(read: Reader, clock: Clock): HealthCheck {
  const startedMs = clock.nowMs();
  return {
    name: "books",
    look: () => {
      const check = lastCheck(read);
      const at = check ? `checked at ${isoUtc(check.checkedAtMs)}` : "not checked yet";
      switch (standingOfCheck(check, startedMs, clock.nowMs())) {
        case "agrees":
          return well(at);
        case "not checked yet":
          return well("not checked yet: they are every night");
        case "differs":
          return bad(`${at}: ${check?.differences ?? 0} differences`, '"ledger check" names them', check);
        case "failed":
          return bad(`${at}: the check failed (${check?.failure ?? ""})`, 'say "ledger check"', check);
        case "overdue":
          return bad(`${at}: last night's check is missing`, 'say "ledger check"', null);
      }
    },
  };
}

function bad(detail: string, action: string, check: BooksCheck | null): Finding {
  return { status: "degraded", detail, action, ...(check ? { sinceMs: check.checkedAtMs } : {}) };
}
