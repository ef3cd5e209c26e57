import type { Finding } from "../auditor/finding.ts";
import type { LoggedLine } from "../world/lives.ts";

/** What an error of the appliance's own looks like in its log; an error of the disk, or what waits for one to pass, is the world's. */
const OWN_ERROR = /"error":"(?!SQLiteError|StoreError|Killed|TooEarly)[A-Za-z]*(?:Error|BugError)?[^"]*"/;
/** Said of what others did wrong, with an error's words. */
const OF_OTHERS = /"level":"(?:debug|info|warn)"/;

/** Lines that no run should bring: errors that are nobody's but the appliance's. */
export function faultsInLog(log: readonly LoggedLine[]): Finding[] {
  return log.flatMap(({ life, atMs, line }) => {
    if (OF_OTHERS.test(line) || !OWN_ERROR.test(line)) return [];
    return [
      {
        rule: "no-bug",
        promise: "an error that nobody expected is a bug",
        what: `life ${life} logged: ${line}`,
        atMs,
        about: [],
      },
    ];
  });
}
