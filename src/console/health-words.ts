import type { CheckView } from "../base/health.ts";

/** What a check found and what to do about it, in somebody's words. */
export function checkInWords(check: CheckView, inTheirWords: (english: string) => string): CheckView {
  return {
    ...check,
    detail: partsInWords(check.detail, inTheirWords),
    action: check.action && inTheirWords(check.action),
  };
}

/** A find is several sentences beside each other, or one that has a semicolon in it. */
function partsInWords(found: string, inTheirWords: (english: string) => string): string {
  const parts = found.split("; ").map((part) => ({ part, said: inTheirWords(part) }));
  const isEach = parts.every(({ part, said }) => said !== part);
  return isEach ? parts.map(({ said }) => said).join("\u00a0; ") : inTheirWords(found);
}
