/** The moment of examples that are for later, as the guide writes it. */
const EXAMPLE_TIME = "2026-03-01T18:00:00";
const DAY_MS = 86_400_000;
const DATE_LENGTH = "2026-03-01".length;

/** A page whose examples for later are for the evening after `nowMs`, so that they can be tried as they stand. */
export function replaceExampleTimes(page: string, nowMs: number): string {
  const tomorrow = new Date(nowMs + DAY_MS).toISOString().slice(0, DATE_LENGTH);
  return page.replaceAll(EXAMPLE_TIME, `${tomorrow}${EXAMPLE_TIME.slice(DATE_LENGTH)}`);
}
