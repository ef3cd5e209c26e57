import type { Clock } from "../../core/clock.ts";
import { type Finding, type HealthCheck, well } from "../../core/health.ts";
import type { Reader } from "../../db/read.ts";
import { type BooksCheck, lastCheck, deriveCheckStanding } from "../../domain/ledger/checks.ts";
import { type Phrase, phrase } from "../../i18n/phrase.ts";

/** Whether the last check of the books is of last night and found them right. */
export function booksCheck(read: Reader, clock: Clock): HealthCheck {
  const startedMs = clock.nowMs();
  return {
    name: "books",
    look: () => {
      const check = lastCheck(read);
      const at = check?.checkedAtMs ?? null;
      switch (deriveCheckStanding(check, startedMs, clock.nowMs())) {
        case "agrees":
          return well(at === null ? phrase("health.books.not_yet") : phrase("health.books", { at }));
        case "not checked yet":
          return well(phrase("health.books.not_yet"));
        case "differs":
          return badBooks(
            phrase("health.books.differ", { at: at ?? 0, count: check?.differences ?? 0 }),
            phrase("health.books.differ.action"),
            check,
          );
        case "failed":
          return badBooks(
            phrase("health.books.failed", { at: at ?? 0, failure: check?.failure ?? "" }),
            phrase("health.books.action"),
            check,
          );
        case "overdue":
          return badBooks(
            at === null ? phrase("health.books.never") : phrase("health.books.overdue", { at }),
            phrase("health.books.action"),
            null,
          );
      }
    },
  };
}

function badBooks(detail: Phrase, action: Phrase, check: BooksCheck | null): Finding {
  return { status: "degraded", detail, action, ...(check ? { sinceMs: check.checkedAtMs } : {}) };
}
