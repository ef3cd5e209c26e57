import type { Settings } from "../../config/in-force.ts";
import type { Clock } from "../../core/clock.ts";
import type { Log } from "../../core/log.ts";
import type { Store } from "../../db/store.ts";
import type { WorkerTools } from "../../dispatch/line.ts";
import type { Phrase } from "../../i18n/phrase.ts";
import type { CloudClient, NumberConfig } from "./cloud-client.ts";
import type { DailyUserCounts } from "./day-counts.ts";
import type { NumberTrouble } from "./trouble.ts";
import type { ServiceWindows } from "./user-windows.ts";
import type { PostComposer } from "./wording.ts";

/** Why nothing may leave by a number, and since when: somebody paused it, for a reason in their words, or Meta stopped it. */
export type SendBlock = { readonly atMs: number } & (
  | { readonly kind: "paused"; readonly reason: string }
  | { readonly kind: "stopped"; readonly why: Phrase }
);

export type WhatsAppWorkerDeps = WorkerTools & {
  readonly settings: Settings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly client: CloudClient;
  readonly wording: PostComposer;
  readonly day: DailyUserCounts;
  /** The number's code. */
  readonly code: string;
  /** As it stands at this moment. */
  readonly number: () => NumberConfig;
  /** Null where messages may leave. */
  readonly hindrance: () => SendBlock | null;
  readonly onTrouble: (code: string, trouble: NumberTrouble, sentAtMs: number) => void;
  /** Meta calls a user by another number than the one that is written to, and has not said so before. */
  readonly onNamed: ServiceWindows["named"];
};

/** Numbers of one portfolio share how many users they may write to; one of none keeps its count under another code. */
export function portfolioOf({
  portfolio,
  phone_number_id: id,
}: Pick<NumberConfig, "portfolio" | "phone_number_id">): string {
  return portfolio === "" ? `number ${id}` : portfolio;
}
